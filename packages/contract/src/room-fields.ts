/** The fields of a project room as forms send them, each by itself. */
import { z } from 'zod'
import { maximumLicenceCount } from './licences.ts'
import { licenceTypes } from './wire-codes.ts'

export const roomNamePattern = /^[a-z][a-z0-9]{2,23}$/
export const emailPattern = /^(.+)@(.+)$/

export const roomName = z
  .string({ error: 'Please enter the project room name.' })
  .trim()
  .regex(roomNamePattern, 'Project room name invalid')

/** `2027-01-31T00:00:00.000Z` on the wire, `2027-01-31` inside: the last day (UTC) on which the room is valid. */
export const wireDate = z.codec(z.string(), z.iso.date(), {
  decode: (text, context) => {
    const found = /^(\d{4}-\d{2}-\d{2})(T00:00:00(\.000)?Z)?$/.exec(text)
    const day = found?.[1]
    if (day !== undefined && !Number.isNaN(Date.parse(`${day}T00:00:00Z`))) return day
    context.issues.push({
      code: 'custom',
      input: text,
      message: 'Must be a date such as 2027-01-31T00:00:00.000Z.',
    })
    return z.NEVER
  },
  encode: (day) => `${day}T00:00:00.000Z`,
})

export const count = z
  .int({ error: 'Must be a whole number.' })
  .min(0, 'Must be 0 or more.')
  .max(maximumLicenceCount, `Must be less than ${maximumLicenceCount + 1}.`)

export const licenceInformation = z.object({
  licenseKey: z.string().max(40),
  licenseAmount: count,
  licenseType: z.enum(licenceTypes),
})
export const subLicenceEntry = z.object({
  licenseKey: z.string().max(40),
  subLicenseAmount: count,
  /** The licence it belongs to. */
  productKey: z.string().max(40),
})
export type LicenceInformation = z.output<typeof licenceInformation>
export type SubLicenceEntry = z.output<typeof subLicenceEntry>

/** Required. */
export const text = (label: string, max = 255) =>
  z
    .string({ error: `Please enter the ${label}.` })
    .trim()
    .min(1, `Please enter the ${label}.`)
    .max(max, `At most ${max} characters.`)
/** Absent, null and blank all mean: nothing. */
export const optionalText = (max = 255) =>
  z
    .codec(z.string().nullable(), z.string().max(max, `At most ${max} characters.`).nullable(), {
      decode: (value) => value?.trim() || null,
      encode: (value) => value,
    })
    .default(null)
export const email = (label: string) => text(label, 320).regex(emailPattern, 'Please enter a valid e-mail address.')
export const optionalEmail = optionalText(320).refine((value) => value === null || emailPattern.test(value), {
  error: 'Please enter a valid e-mail address.',
})
