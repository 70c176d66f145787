/** The defaults of settings, wrong ones, and secrets that are none. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { WrongSetting } from './setting-forms.ts'
import { readSettings } from './settings.ts'

const dir = await mkdtemp(join(tmpdir(), 'roomkeeper-settings-'))
afterAll(() => rm(dir, { recursive: true, force: true }))

// shows: rooms-202
it('a call waits 25 seconds for a region', () => {
  expect(readSettings({ DATA_DIR: dir }).REGION_WAIT_SECONDS).toBe(25)
})

it.each([
  ['https://Host.example:443', 'https://host.example/'],
  ['https://host.example/rooms', 'https://host.example/rooms/'],
  ['https://host.example/v1.2/rooms_a/', 'https://host.example/v1.2/rooms_a/'],
])('PUBLIC_URL %s is %s', (PUBLIC_URL, known) => {
  expect(readSettings({ DATA_DIR: dir, PUBLIC_URL }).PUBLIC_URL).toBe(known)
})

const wrongPublicUrl =
  'PUBLIC_URL is wrong: it takes the URL at which browsers reach the console, such as https://host.example or https://host.example/roomkeeper, whose path does not begin like a path of the console itself, such as /project.'

// shows: settings-wrong
it.each([
  [{ PORT: 'eighty' }, 'PORT is wrong: it takes a port from 0 (any free one) to 65535.'],
  ...[
    'https://host.example/project',
    'https://host.example/login/rooms',
    'https://host.example//evil.example',
    'https://host.example/rooms?x=1',
    'https://host.example/r"ooms',
    'ftp://host.example',
  ].map((PUBLIC_URL): [object, string] => [{ PUBLIC_URL }, wrongPublicUrl]),
  [
    { TRUST_PROXY: 'yes' },
    'TRUST_PROXY is wrong: it takes a number of proxies from 0 to 10, or their addresses and networks such as 10.0.0.5,10.1.0.0/16.',
  ],
  [{ DATABASE_TIMEOUT_SECONDS: '1' }, 'DATABASE_TIMEOUT_SECONDS is wrong: it takes a number of seconds from 2 to 600.'],
  [
    { DATABASE_URL: 'postgres://user:secret@db-1:5432,db-2:none/x' },
    'DATABASE_URL is wrong: a host, a port or a parameter cannot be read.',
  ],
  [
    { DATABASE_URL: 'postgres://db-1/x?target_session_attrs=standby' },
    'DATABASE_URL is wrong: target_session_attrs takes any, read-write or primary.',
  ],
  [
    { DATABASE_URL: 'postgres://db-1/x?require_auth=scram-sha-256' },
    'DATABASE_URL is wrong: require_auth is not known here: use sslmode=verify-full.',
  ],
  [
    { DATABASE_URL: 'mysql://x' },
    'DATABASE_URL is wrong: it takes a URL such as postgres://user:password@host/database.',
  ],
  [
    { NODE_EXTRA_CA_CERTS: '/none.pem' },
    'NODE_EXTRA_CA_CERTS is wrong: it takes a readable file of certificates in PEM.',
  ],
  [{ SECRET_KEY: 'short' }, 'SECRET_KEY is wrong: it takes a random text of at least 16 characters.'],
  [{ PROCESS: 'worker' }, 'SECRET_KEY is missing: with PROCESS=worker all processes need the same one.'],
  [
    { HOST: '0.0.0.0', TRUST_PROXY: '1', METRICS_HOSTS: '127.0.0.0/8,10.0.0.0/8' },
    'TRUST_PROXY is wrong: with a number, any client that reaches 0.0.0.0 can pose as one of METRICS_HOSTS. Please name the addresses of the proxies instead, or set HEALTH_PORT.',
  ],
  [{ OIDC_ON: '1' }, 'OIDC_ON is wrong: with 1, OIDC_ISSUER and OIDC_CLIENT_ID are needed too.'],
  [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD is wrong: it takes 8 to 64 characters.'],
  [
    { UPLOAD_LIMIT: '20 pages' },
    'UPLOAD_LIMIT is wrong: it takes a number of bytes, or an amount such as 500MiB or 20GiB, up to 300GiB.',
  ],
  [{ BACKUP_STORE: 'ftp://host/x' }, 'BACKUP_STORE is wrong: it takes a folder or s3://bucket/prefix.'],
  [{ BACKUP_STORE: '/dev/null/x' }, 'BACKUP_STORE is wrong: the folder /dev/null/x cannot be written.'],
  [{ BACKUP_STORE: 's3://bucket/x' }, 'OBJECT_STORE_ACCESS_KEY is missing: BACKUP_STORE needs it.'],
  [
    { OBJECT_STORE_URI: 's3://bucket/x', OBJECT_STORE_ACCESS_KEY: 'key' },
    'OBJECT_STORE_SECRET_KEY is missing: OBJECT_STORE_URI needs it.',
  ],
  [{ OBJECT_STORE_URI: '/bucket' }, 'OBJECT_STORE_URI is wrong: it takes s3://bucket/prefix.'],
  [
    { OBJECT_STORE_ENDPOINT: 'store.example' },
    'OBJECT_STORE_ENDPOINT is wrong: it takes the URL of an object store that speaks S3.',
  ],
  [{ DATA_SHARED: 'yes' }, 'DATA_SHARED is wrong: it takes 0 or 1.'],
  [
    { PROCESS: 'api', SECRET_KEY: 'a secret key for tests', DATABASE_URL: 'postgres://x', BACKUP_STORE: '/tmp' },
    'BACKUP_STORE is wrong: with PROCESS=api it takes s3://bucket/prefix, or a folder that all processes share, with DATA_SHARED=1.',
  ],
  [
    { CUSTOMER_COMPONENT_URL: 'customer.js' },
    'CUSTOMER_COMPONENT_URL is wrong: it takes the URL of a script, such as https://example.com/customer.js.',
  ],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is wrong: it takes one of trace, debug, info, warn, error, fatal, silent.'],
])('%j is refused with one line that names it', (environment, line) => {
  expect(() => readSettings({ DATA_DIR: dir, ...environment })).toThrow(new WrongSetting(line))
})

it.each([
  ['SECRET_KEY', 'change-me-to-the-output-of-openssl-rand-base64-32'],
  ['ADMIN_PASSWORD', 'change-me-after-the-first-sign-in'],
  ['DATABASE_URL', 'postgres://roomkeeper:change-me@db.example/roomkeeper'],
  ['SMTP_URL', 'smtps://user:change-me@mail.example:465'],
  ['OBJECT_STORE_ACCESS_KEY', 'change-me'],
  ['OBJECT_STORE_SECRET_KEY', 'change-me'],
])('%s of the example is refused, and not repeated', (name, value) => {
  const line = `${name} is wrong: it is the one of the example, which everybody knows.`
  expect(() => readSettings({ DATA_DIR: dir, [name]: value })).toThrow(new RegExp(`^${line}$`))
})

it('a number of proxies is taken where the figures are for this machine, or for everybody', () => {
  for (const METRICS_HOSTS of ['127.0.0.0/8,::1', '*'])
    expect(readSettings({ DATA_DIR: dir, HOST: '0.0.0.0', TRUST_PROXY: '1', METRICS_HOSTS }).TRUST_PROXY).toBe(1)
})

it('a SECRET_KEY of the example can be replaced by another', () => {
  const old = 'change-me-to-the-output-of-openssl-rand-base64-32'
  const settings = readSettings({ DATA_DIR: dir, SECRET_KEY: 'a secret key for tests', SECRET_KEY_OLD: old })
  expect(settings.SECRET_KEY_OLD?.reveal()).toBe(old)
})
