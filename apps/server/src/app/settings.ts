/** Reads all settings from the environment. A wrong or missing one stops the start with a line that names it. */
import { resolve } from 'node:path'
import { tracingVariables } from '@roomkeeper/tracing/settings'
import { z } from 'zod'
import { readDatabaseUrl, WrongDatabaseUrl } from '#platform/database/database-hosts.ts'
import { logLevels } from '#platform/log.ts'
import { mailLanguages } from '#platform/mail.ts'
import { isThisMachine } from '#platform/networks.ts'
import { Secret } from '#platform/secrets.ts'
import { storedSecretKey } from './secret-key.ts'
import {
  daysBefore,
  flag,
  hostList,
  isOfAnExample,
  networkList,
  publicUrl,
  readableFile,
  type Setting,
  trustedProxies,
  WrongSetting,
  wholeNumber,
} from './setting-forms.ts'
import { checkStoreSettings, storeVariables } from './store-settings.ts'

const secret = z
  .string()
  .min(16)
  .transform((text) => new Secret(text))

/** Grouped by the headings of docs/settings.md, which is generated from this table. */
export const settingGroups = {
  Server: {
    PORT: {
      form: wholeNumber(0, 65_535).default(8080),
      takes: 'a port from 0 (any free one) to 65535',
      about: 'The port of the API.',
    },
    HOST: {
      form: z.string().min(1).default('127.0.0.1'),
      takes: 'an address to listen on',
      about: 'The address of the API.',
    },
    PUBLIC_URL: {
      form: publicUrl.optional(),
      takes:
        'the URL at which browsers reach the console, such as https://host.example or https://host.example/roomkeeper, whose path does not begin like a path of the console itself, such as /project',
      about:
        'The address in e-mails and of the second factor. [The proxy has to remove a path](operations.md#below-a-path).',
      unset: 'http://HOST:PORT',
    },
    PROCESS: {
      form: z.enum(['all', 'api', 'worker', 'drill']).default('all'),
      takes: 'all, api, worker or drill',
      about:
        'Whether this process answers calls, runs operations, or both. `drill`: [shows a restored database](operations.md#a-drill-beside-production).',
    },
    LOG_LEVEL: {
      form: z.enum(logLevels).default('info'),
      takes: `one of ${logLevels.join(', ')}`,
      about: 'What is written to the log.',
    },
    METRICS_HOSTS: {
      form: hostList.default(['127.0.0.0/8', '::1']),
      takes: 'addresses and networks such as 10.0.0.5,10.1.0.0/16, or * for everybody',
      about: 'Who may read `/metrics`.',
    },
    HEALTH_PORT: {
      form: wholeNumber(0, 65_535).optional(),
      takes: 'a port from 0 (any free one) to 65535',
      about: 'A port of its own for `/healthz`, `/readyz` and `/metrics`. With it, an API has no `/metrics` at PORT.',
      unset: 'a worker listens nowhere, an API answers all three at PORT',
    },
    NODE_EXTRA_CA_CERTS: {
      form: readableFile.optional(),
      takes: 'a readable file of certificates in PEM',
      about:
        'Further authorities for certificates of regions, object stores, the OpenID provider, the mail server and webhooks.',
      unset: 'only public authorities are trusted',
    },
  },
  'Data and database': {
    DATA_DIR: {
      form: z
        .string()
        .min(1)
        .default('./data')
        .transform((path) => resolve(path)),
      takes: 'a folder',
      about: 'The embedded database and regions, the outbox, the secret key.',
    },
    DATABASE_URL: {
      form: z
        .string()
        .regex(/^postgres(ql)?:\/\//)
        .optional(),
      takes: 'a URL such as postgres://user:password@host/database',
      about:
        'A PostgreSQL 15 or newer, with UTF-8 and pg_trgm; [several hosts](database.md#where-it-is) for one with standbys. Each process uses up to 20 connections.',
      unset: 'the embedded PostgreSQL',
    },
    DATABASE_TIMEOUT_SECONDS: {
      form: wholeNumber(2, 600).default(15),
      takes: 'a number of seconds from 2 to 600',
      about: 'The longest a statement may take. A connection that stays silent a third longer is given up.',
    },
    SECRET_KEY: {
      form: secret.optional(),
      takes: 'a random text of at least 16 characters',
      about: 'Seals stored secrets: passwords of regions, secrets of webhooks, records of rooms.',
      unset: 'made once, in DATA_DIR',
    },
    SECRET_KEY_OLD: {
      form: secret.optional(),
      takes: 'the former SECRET_KEY, while secrets are rotated',
      about: 'The former key, while [secrets are rotated](operations.md#a-new-secret_key).',
    },
  },
  'First administrator': {
    ADMIN_EMAIL: {
      form: z
        .string()
        .regex(/^(.+)@(.+)$/)
        .default('admin@localhost'),
      takes: 'an e-mail address',
      about: 'Read at the first start only.',
    },
    ADMIN_PASSWORD: {
      form: z
        .string()
        .min(8)
        .max(64)
        .transform((text) => new Secret(text))
        .optional(),
      takes: '8 to 64 characters',
      about: 'Read at the first start only.',
      unset: 'a random one, printed once',
    },
  },
  'Regions and workers': {
    EMBEDDED_REGIONS: {
      form: wholeNumber(0, 16).default(2),
      takes: 'a number from 0 to 16',
      about: 'How many region servers it starts. Set 0 in production.',
    },
    ALLOW_HTTP_REGIONS: {
      form: flag.default(false),
      takes: '0 or 1',
      about: '1 allows regions without TLS outside this machine.',
    },
    REGION_CONCURRENCY: {
      form: wholeNumber(1, 1000).default(4),
      takes: 'a number from 1 to 1000',
      about: 'How many operations run on one region at once.',
    },
    REGION_WAIT_SECONDS: {
      form: wholeNumber(1, 600).default(25),
      takes: 'a number of seconds from 1 to 600',
      about:
        'How long editing, suspending and resuming wait for the region; then the call is answered with 202. Set it lower than the time-out of a proxy.',
    },
    REGION_HEALTH_SECONDS: {
      form: wholeNumber(0, 3600).default(5),
      takes: 'a number of seconds from 0 to 3600',
      about:
        'How often a worker [asks each enabled region](managing-regions.md#health) that no call has reached. 0: never.',
    },
    ROOM_RECORD_SECONDS: {
      form: wholeNumber(0, 3600).default(5),
      takes: 'a number of seconds from 0 to 3600',
      about:
        'How often a worker sends regions the sealed [records](region/calls.md#put-roomsnameconsole-record) that they lack. 0: never.',
    },
    WORKER_OPERATIONS: {
      form: wholeNumber(1, 1000).default(64),
      takes: 'a number from 1 to 1000',
      about: 'How many operations with slots of regions one worker runs at once.',
    },
    WORKER_LEASE_SECONDS: {
      form: wholeNumber(2, 30).default(10),
      takes: 'a number of seconds from 2 to 30',
      about: 'A worker without a heartbeat for this long counts as dead.',
    },
  },
  'Uploads, backups and object store': storeVariables,
  'Second factor': {
    OIDC_ISSUER: {
      form: z
        .url({ protocol: /^https?$/ })
        .refine(isSafeIssuer)
        .optional(),
      takes: 'the https URL of an OpenID provider (http only on this machine)',
      about: 'The OpenID provider. Register `<PUBLIC_URL>/project/mfa_okta` there as the redirect URI.',
    },
    OIDC_CLIENT_ID: {
      form: z.string().min(1).max(200).optional(),
      takes: 'the client id at the OpenID provider',
      about: 'The id of the console there.',
    },
    OIDC_CLIENT_SECRET: {
      form: z
        .string()
        .min(1)
        .transform((text) => new Secret(text))
        .optional(),
      takes: 'the secret of OIDC_CLIENT_ID, where the OpenID provider gave one',
      about: 'Only for clients that have one.',
    },
    OIDC_EMAILS_MANAGED: {
      form: flag.default(false),
      takes: '0 or 1',
      about:
        '1 is for providers that do not send `email_verified` (such as Entra ID): an address counts unless it is said not to be verified. Only where users cannot set their own address.',
    },
    OIDC_ON: {
      form: flag.default(false),
      takes: '0 or 1',
      about: '1 asks every operator for the second factor.',
    },
  },
  'E-mail': {
    SMTP_URL: {
      form: z
        .string()
        .regex(/^smtps?:\/\//)
        .transform((text) => new Secret(text))
        .optional(),
      takes: 'a URL such as smtp://user:password@host:587',
      about: 'The mail server. Every process needs it.',
      unset: 'e-mails are not sent, only written to DATA_DIR/outbox',
    },
    MAIL_FROM: {
      form: z.string().min(3).default('Roomkeeper <roomkeeper@localhost>'),
      takes: 'a sender such as Roomkeeper <noreply@example.com>',
      about: 'The sender.',
    },
    EXPIRY_REMINDER_DAYS: {
      form: daysBefore.default([]),
      takes: 'up to 10 numbers of days from 1 to 365, such as 30,7,1',
      about: 'How many days before the last day of a room its owner and sales contact are reminded, each once.',
      unset: 'no reminders',
    },
    MAIL_LANGUAGE: {
      form: z.enum(mailLanguages).default('en'),
      takes: mailLanguages.join(' or '),
      about: 'The language of e-mails.',
    },
  },
  Webhooks: {
    WEBHOOK_NETWORKS: {
      form: networkList.default([]),
      takes: 'addresses and networks such as 10.0.0.5,10.1.0.0/16',
      about:
        'Private networks that [webhooks may reach](webhooks-and-mail.md#where-a-webhook-may-lead). Every process needs the same.',
      unset: 'to public addresses only',
    },
  },
  'Clients and proxies': {
    TRUST_PROXY: {
      form: trustedProxies.default(0),
      takes: 'a number of proxies from 0 to 10, or their addresses and networks such as 10.0.0.5,10.1.0.0/16',
      about: 'The [proxies](operations.md#the-proxy) in front of it. The outermost says in X-Forwarded-For who calls.',
    },
    TOKEN_CALLS_PER_SECOND: {
      form: wholeNumber(1, 10_000).default(50),
      takes: 'a number from 1 to 10000',
      about: 'Calls per second of each API token in one process; twice as many at once. More are answered with 429.',
    },
    REQUEST_TIMEOUT_SECONDS: {
      form: wholeNumber(1, 600).default(30),
      takes: 'a number of seconds from 1 to 600',
      about: 'How long a client may be silent while the rest of its request is missing.',
    },
    ANSWER_TIMEOUT_SECONDS: {
      form: wholeNumber(1, 600).default(60),
      takes: 'a number of seconds from 1 to 600',
      about: 'How long a client may leave its answer unread.',
    },
    CUSTOMER_COMPONENT_URL: {
      form: z.url({ protocol: /^https?$/ }).optional(),
      takes: 'the URL of a script, such as https://example.com/customer.js',
      about:
        "The module of [the customers' component](console.md#the-customers-pages). Where PUBLIC_URL has a path, its links and calls have to be relative (`login`, `api/customer/room`).",
      unset: 'built-in pages',
    },
  },
  Traces: tracingVariables,
} as const satisfies Record<string, Record<string, Setting>>

const variables = {
  ...settingGroups.Server,
  ...settingGroups['Data and database'],
  ...settingGroups['First administrator'],
  ...settingGroups['Regions and workers'],
  ...settingGroups['Uploads, backups and object store'],
  ...settingGroups['Second factor'],
  ...settingGroups['E-mail'],
  ...settingGroups.Webhooks,
  ...settingGroups['Clients and proxies'],
  ...settingGroups.Traces,
}

/** Not SECRET_KEY_OLD: who has used the example's key should get rid of it. */
const secretNames = [
  'SECRET_KEY',
  'ADMIN_PASSWORD',
  'DATABASE_URL',
  'SMTP_URL',
  'OBJECT_STORE_ACCESS_KEY',
  'OBJECT_STORE_SECRET_KEY',
]

type Variables = typeof variables
export type Settings = { [Name in keyof Variables]: z.output<Variables[Name]['form']> } & {
  SECRET_KEY: Secret
}

/** @throws WrongSetting */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const entries = Object.entries(variables).map(([name, { form, takes }]) => {
    const given = environment[name]
    if (given !== undefined && secretNames.includes(name) && isOfAnExample(given))
      throw new WrongSetting(`${name} is wrong: it is the one of the example, which everybody knows.`)
    const read = form.safeParse(given === '' ? undefined : given)
    if (!read.success) throw new WrongSetting(`${name} is wrong: it takes ${takes}.`)
    return [name, read.data] as const
  })
  const settings = Object.fromEntries(entries) as Settings
  checkTogether(settings)
  checkStoreSettings(settings)
  return { ...settings, SECRET_KEY: settings.SECRET_KEY ?? storedSecretKey(settings.DATA_DIR) }
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
  checkMetrics(settings)
}

/** A number of proxies believes every caller, also one that says it is a host that may read the figures. */
function checkMetrics({ PROCESS, HOST, HEALTH_PORT, TRUST_PROXY, METRICS_HOSTS }: Settings): void {
  const isOpen = HOST !== 'localhost' && !isThisMachine(HOST)
  const isForOthers = METRICS_HOSTS.some((host) => host !== '*' && !isThisMachine(host.split('/')[0] ?? ''))
  const believesAll = typeof TRUST_PROXY === 'number' && TRUST_PROXY > 0
  if (PROCESS !== 'worker' && HEALTH_PORT === undefined && isOpen && believesAll && isForOthers)
    throw new WrongSetting(
      `TRUST_PROXY is wrong: with a number, any client that reaches ${HOST} can pose as one of METRICS_HOSTS. Please name the addresses of the proxies instead, or set HEALTH_PORT.`,
    )
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
