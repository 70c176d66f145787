/** The settings of a region server, all from the environment. A wrong value stops the start. */
import { resolve } from 'node:path'
import { type RegionProduct, regionProducts } from '@roomkeeper/region-protocol'
import { type TracingSettings, tracingVariables } from '@roomkeeper/tracing/settings'
import { z } from 'zod'

export interface RegionSettings {
  /** 0: any free port. */
  port: number
  host: string
  /** An absolute path. */
  dataDir: string
  name: string
  userName: string
  password: string
  /** Needed to update system databases. */
  systemPassword: string
  products: readonly RegionProduct[]
  /** Where the console answers its public calls, for rooms' plain pages; null: they show the room's state only. */
  consoleUrl: string | null
  /**
   * How long a check of content may go without progress; each megabyte adds a second. Content that was made to be read
   * for ever is given up after this time.
   */
  checkSeconds: number
  /** How long a client may be silent while the rest of its request is missing. */
  requestTimeoutSeconds: number
  /** How long a client may leave its answer unread. */
  answerTimeoutSeconds: number
  /** log2 N of scrypt in the database exports that the region writes. Tests may lower it, together with `faults`. */
  exportCost: number
  /** Lets tests inject faults. Never in production. */
  faults: boolean
  traces: TracingSettings
}

/** The message names the variable and the values that it takes. */
export class WrongSetting extends Error {}

interface Setting {
  form: z.ZodType
  /** The end of the message for a wrong value: `REGION_PORT must be a number …`. */
  takes: string
  /** For docs/settings.md, in Markdown. */
  about: string
  /** What happens when it is not set, if it has no default value. */
  unset?: string
}

const text = z.string()
const seconds = (most: number, initial: number) => wholeNumber(1, most).default(initial)
const flag = z.enum(['0', '1']).transform((given) => given === '1')
const exportCost = 17

/** In the order of docs/settings.md, which is generated from this table. */
export const variables = {
  REGION_PORT: {
    form: wholeNumber(0, 65_535).default(9001),
    takes: 'a number from 0 to 65535 (0: any free port)',
    about: 'A free port is printed.',
  },
  REGION_HOST: { form: text.default('127.0.0.1'), takes: 'an address', about: 'Where it listens.' },
  REGION_DATA_DIR: {
    form: text.default('region-data'),
    takes: 'a folder',
    about: '[What it keeps](region-storage.md#on-disk).',
  },
  REGION_NAME: {
    form: text.max(100).default('region'),
    takes: 'a text of at most 100 characters',
    about: 'Its name, in answers and logs.',
  },
  REGION_USER: {
    form: text.default('superuser'),
    takes: 'a name',
    about: 'The user as whom the console signs in.',
  },
  REGION_PASSWORD: {
    form: z.string().min(1),
    takes: 'the password of the superuser',
    about: 'The console signs in with it.',
    unset: 'must be set',
  },
  REGION_SYSTEM_PASSWORD: {
    form: z.string().min(1),
    takes: 'the password for updates of system databases',
    about: 'The console sends it with an update of system databases.',
    unset: 'must be set',
  },
  REGION_PRODUCTS: {
    form: text
      .transform(productsOf)
      .refine((known) => known !== null)
      .optional(),
    takes: `a comma-joined list of ${regionProducts.join(', ')}`,
    about: 'Which products it hosts.',
    unset: regionProducts.join(','),
  },
  REGION_CONSOLE_URL: {
    form: z
      .url({ protocol: /^https?$/ })
      .transform((url) => new URL(url).href.replace(/\/+$/, ''))
      .optional(),
    takes: 'an http or https address',
    about: "The console's address, for maintenance, notifications and welcome video on the rooms' plain pages.",
  },
  REGION_CHECK_SECONDS: {
    form: seconds(99_999, 60),
    takes: 'a number from 1 to 99999',
    about: 'How long a check or digest may show no progress. Each megabyte adds a second.',
  },
  REGION_REQUEST_TIMEOUT_SECONDS: {
    form: seconds(600, 30),
    takes: 'a number from 1 to 600',
    about: 'How long a client may be silent while the rest of its request is missing.',
  },
  REGION_ANSWER_TIMEOUT_SECONDS: {
    form: seconds(600, 60),
    takes: 'a number from 1 to 600',
    about: 'How long a client may leave its answer unread.',
  },
  REGION_EXPORT_COST: {
    form: wholeNumber(1, exportCost).default(exportCost),
    takes: `${exportCost}, and is only for tests`,
    about: 'log2 N of scrypt in database exports; a smaller one with REGION_FAULTS=1 only.',
  },
  REGION_FAULTS: {
    form: flag.default(false),
    takes: '0 or 1',
    about: '1 lets tests inject faults (`PUT /faults`). Never in production.',
  },
  ...tracingVariables,
} as const satisfies Record<string, Setting>

type Values = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]['form']> }

/** @throws {WrongSetting} */
export function readSettings(env: NodeJS.ProcessEnv): RegionSettings {
  const entries = Object.entries(variables).map(([name, { form, takes }]) => {
    const given = (isPassword(name) ? env[name] : env[name]?.trim()) || undefined
    // The passwords of the examples in deploy/, which are public.
    if (isPassword(name) && given?.startsWith('change-me') === true)
      throw new WrongSetting(`${name} must be your own, not the one of the example.`)
    const read = form.safeParse(given)
    if (read.success) return [name, read.data] as const
    if (given === undefined) throw new WrongSetting(`${name} must be set: ${takes}.`)
    throw new WrongSetting(`${name} must be ${takes}, not '${given}'.`)
  })
  const values = Object.fromEntries(entries) as Values
  if (values.REGION_EXPORT_COST !== exportCost && !values.REGION_FAULTS) {
    const { takes } = variables.REGION_EXPORT_COST
    throw new WrongSetting(`REGION_EXPORT_COST must be ${takes}, not '${values.REGION_EXPORT_COST}'.`)
  }
  return {
    port: values.REGION_PORT,
    host: values.REGION_HOST,
    dataDir: resolve(values.REGION_DATA_DIR),
    name: values.REGION_NAME,
    userName: values.REGION_USER,
    password: values.REGION_PASSWORD,
    systemPassword: values.REGION_SYSTEM_PASSWORD,
    products: values.REGION_PRODUCTS ?? regionProducts,
    consoleUrl: values.REGION_CONSOLE_URL ?? null,
    checkSeconds: values.REGION_CHECK_SECONDS,
    requestTimeoutSeconds: values.REGION_REQUEST_TIMEOUT_SECONDS,
    answerTimeoutSeconds: values.REGION_ANSWER_TIMEOUT_SECONDS,
    exportCost: values.REGION_EXPORT_COST,
    faults: values.REGION_FAULTS,
    traces: values,
  }
}

/** Blanks may be part of a password, so it is not trimmed. */
function isPassword(name: string): boolean {
  return name === 'REGION_PASSWORD' || name === 'REGION_SYSTEM_PASSWORD'
}

function wholeNumber(min: number, max: number) {
  return text
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
}

/** In the order of the protocol; null when one of them is unknown. */
function productsOf(given: string): readonly RegionProduct[] | null {
  const names = new Set(given.split(',').map((each) => each.trim().toUpperCase()))
  const known = regionProducts.filter((product) => names.has(product))
  return known.length === names.size ? known : null
}
