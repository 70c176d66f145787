/** All settings, from the environment. A wrong or missing one stops the start with a line that names it. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { readDatabaseUrl, WrongDatabaseUrl } from '#platform/database/database-hosts.ts'
import { logLevels } from '#platform/log.ts'
import { Secret } from '#platform/secrets.ts'
import { keptSecretKey } from './secret-key.ts'
import { flag, hostList, trustedProxies, WrongSetting, wholeNumber } from './setting-forms.ts'
import { checkStoreSettings, storeVariables } from './store-settings.ts'

const secret = z
  .string()
  .min(16)
  .transform((text) => new Secret(text))

/** Variable to schema and to the words for what it takes. */
const variables = {
  PORT: [wholeNumber(0, 65_535).default(8080), 'a port from 0 (any free one) to 65535'],
  HOST: [z.string().min(1).default('127.0.0.1'), 'an address to listen on'],
  DATA_DIR: [
    z
      .string()
      .min(1)
      .default('./data')
      .transform((path) => resolve(path)),
    'a folder',
  ],
  DATABASE_URL: [
    z
      .string()
      .regex(/^postgres(ql)?:\/\//)
      .optional(),
    'a URL such as postgres://user:password@host/database',
  ],
  DATABASE_TIMEOUT_SECONDS: [wholeNumber(2, 600).default(15), 'a number of seconds from 2 to 600'],
  SECRET_KEY: [secret.optional(), 'a random text of at least 16 characters'],
  SECRET_KEY_OLD: [secret.optional(), 'the former SECRET_KEY, while secrets are rotated'],
  ADMIN_EMAIL: [
    z
      .string()
      .regex(/^(.+)@(.+)$/)
      .default('admin@localhost'),
    'an e-mail address',
  ],
  ADMIN_PASSWORD: [
    z
      .string()
      .min(8)
      .max(64)
      .transform((text) => new Secret(text))
      .optional(),
    '8 to 64 characters',
  ],
  PROCESS: [z.enum(['all', 'api', 'worker']).default('all'), 'all, api or worker'],
  EMBEDDED_REGIONS: [wholeNumber(0, 16).default(2), 'a number from 0 to 16'],
  REGION_CONCURRENCY: [wholeNumber(1, 1000).default(4), 'a number from 1 to 1000'],
  REGION_WAIT_SECONDS: [wholeNumber(1, 600).default(25), 'a number of seconds from 1 to 600'],
  WORKER_LEASE_SECONDS: [wholeNumber(2, 30).default(10), 'a number of seconds from 2 to 30'],
  ...storeVariables,
  OIDC_ISSUER: [
    z
      .url({ protocol: /^https?$/ })
      .refine(isSafeIssuer)
      .optional(),
    'the https URL of an OpenID provider (http only on this machine)',
  ],
  OIDC_CLIENT_ID: [z.string().min(1).max(200).optional(), 'the client id at the OpenID provider'],
  OIDC_CLIENT_SECRET: [
    z
      .string()
      .min(1)
      .transform((text) => new Secret(text))
      .optional(),
    'the secret of OIDC_CLIENT_ID, where the OpenID provider gave one',
  ],
  OIDC_ON: [flag.default(false), '0 or 1'],
  SMTP_URL: [
    z
      .string()
      .regex(/^smtps?:\/\//)
      .transform((text) => new Secret(text))
      .optional(),
    'a URL such as smtp://user:password@host:587',
  ],
  MAIL_FROM: [
    z.string().min(3).default('Roomkeeper <roomkeeper@localhost>'),
    'a sender such as Roomkeeper <noreply@example.com>',
  ],
  MAIL_LANGUAGE: [z.enum(['en', 'de']).default('en'), 'en or de'],
  PUBLIC_URL: [z.url({ protocol: /^https?$/ }).optional(), 'the URL at which browsers reach the console'],
  CUSTOMER_COMPONENT_URL: [
    z.url({ protocol: /^https?$/ }).optional(),
    'the URL of a script, such as https://example.com/customer.js',
  ],
  REQUEST_TIMEOUT_SECONDS: [wholeNumber(1, 600).default(30), 'a number of seconds from 1 to 600'],
  ANSWER_TIMEOUT_SECONDS: [wholeNumber(1, 600).default(60), 'a number of seconds from 1 to 600'],
  TRUST_PROXY: [
    trustedProxies.default(0),
    'a number of proxies from 0 to 10, or their addresses and networks such as 10.0.0.5,10.1.0.0/16',
  ],
  METRICS_HOSTS: [
    hostList.default(['127.0.0.0/8', '::1']),
    'addresses and networks such as 10.0.0.5,10.1.0.0/16, or * for everybody',
  ],
  HEALTH_PORT: [wholeNumber(0, 65_535).optional(), 'a port from 0 (any free one) to 65535'],
  ALLOW_HTTP_REGIONS: [flag.default(false), '0 or 1'],
  LOG_LEVEL: [z.enum(logLevels).default('info'), `one of ${logLevels.join(', ')}`],
} as const satisfies Record<string, readonly [z.ZodType, string]>

type Variables = typeof variables
export type Settings = { [Name in keyof Variables]: z.output<Variables[Name][0]> } & {
  SECRET_KEY: Secret
}

/** @throws WrongSetting */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const entries = Object.entries(variables).map(([name, [schema, takes]]) => {
    const given = environment[name]
    const read = schema.safeParse(given === '' ? undefined : given)
    if (!read.success) throw new WrongSetting(`${name} is wrong: it takes ${takes}.`)
    return [name, read.data] as const
  })
  const settings = Object.fromEntries(entries) as Settings
  checkTogether(settings)
  checkStoreSettings(settings)
  return { ...settings, SECRET_KEY: settings.SECRET_KEY ?? keptSecretKey(settings.DATA_DIR) }
}

function checkTogether(settings: Settings): void {
  checkDatabaseUrl(settings.DATABASE_URL)
  if (settings.PROCESS !== 'all') {
    if (settings.SECRET_KEY === undefined) {
      throw new WrongSetting(`SECRET_KEY is missing: with PROCESS=${settings.PROCESS} all processes need the same one.`)
    }
    if (settings.DATABASE_URL === undefined) {
      throw new WrongSetting(
        `DATABASE_URL is missing: PROCESS=${settings.PROCESS} shares one PostgreSQL with the others.`,
      )
    }
  }
  if (settings.OIDC_ON && (settings.OIDC_ISSUER === undefined || settings.OIDC_CLIENT_ID === undefined)) {
    throw new WrongSetting('OIDC_ON is wrong: with 1, OIDC_ISSUER and OIDC_CLIENT_ID are needed too.')
  }
}

function checkDatabaseUrl(url: string | undefined): void {
  try {
    if (url !== undefined) readDatabaseUrl(url)
  } catch (error) {
    if (!(error instanceof WrongDatabaseUrl)) throw error
    throw new WrongSetting(`DATABASE_URL is wrong: ${error.message}.`)
  }
}

function isSafeIssuer(url: string): boolean {
  const { protocol, hostname, search, hash } = new URL(url)
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  return (protocol === 'https:' || isHere) && search === '' && hash === ''
}
