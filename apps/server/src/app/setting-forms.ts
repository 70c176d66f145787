/** The types of settings, and the error for wrong values. */
import { readFileSync } from 'node:fs'
import { customerPages } from '@roomkeeper/contract'
import { z } from 'zod'
import { isHostOrNetwork } from '#platform/networks.ts'

/** A wrong setting; the message is the line to print. */
export class WrongSetting extends Error {}

/** One environment variable. */
export interface Setting {
  form: z.ZodType
  /** The end of the message for a wrong value: `PORT is wrong: it takes a port …`. */
  takes: string
  /** The description in docs/settings.md, in Markdown. */
  about: string
  /** What happens when the variable is not set, if it has no default value. */
  unset?: string
}

/** The public secrets of the examples in deploy/: alone, or as the password in a URL. */
export function isOfAnExample(secret: string): boolean {
  return /^(\w+:\/\/[^/@]*:)?change-me/.test(secret)
}

export const readableFile = z.string().refine((path) => {
  try {
    readFileSync(path)
    return true
  } catch {
    return false
  }
})

/** The URL at which browsers reach the console, with a slash at its end, so that addresses below it can be appended. */
export const publicUrl = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine(({ pathname, search, hash }) => search === '' && hash === '' && /^(\/[\w.-]+)*\/?$/.test(pathname))
  // Otherwise the server could not tell whether the proxy has removed the path.
  .refine(({ pathname }) => !['api', 'assets', 'languages', 'project', ...customerPages].includes(firstPart(pathname)))
  .transform(({ href }) => href.replace(/\/?$/, '/'))

function firstPart(pathname: string): string {
  return pathname.split('/')[1] ?? ''
}

export const flag = z.enum(['0', '1']).transform((text) => text === '1')
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max))

/** Numbers of days, comma-separated, each once and the largest first. */
export const daysBefore = z
  .string()
  .regex(/^\d{1,3}(\s*,\s*\d{1,3})*$/)
  .transform((text) => [...new Set(text.split(',').map(Number))].toSorted((a, b) => b - a))
  .refine((days) => days.length <= 10 && days.every((each) => each >= 1 && each <= 365))

/** Addresses and networks, comma-separated; `*` means every address. */
export const hostList = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim()))
  .refine((hosts) => hosts.every((host) => host === '*' || isHostOrNetwork(host)))

/** Addresses and networks, comma-separated. */
export const networkList = hostList.refine((hosts) => !hosts.includes('*'))

/** The number of proxies in a chain, or their addresses. */
export const trustedProxies = z.union([wholeNumber(0, 10), networkList])
