/** How the settings of uploads and stores are read. */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readSettings } from './settings.ts'
import { backupStoreOf, configuredObjectStore } from './store-settings.ts'

const dir = await mkdtemp(join(tmpdir(), 'roomkeeper-store-settings-'))
afterAll(() => rm(dir, { recursive: true, force: true }))
const read = (environment: Record<string, string>) => readSettings({ DATA_DIR: join(dir, 'data'), ...environment })
const keys = { OBJECT_STORE_ACCESS_KEY: 'key', OBJECT_STORE_SECRET_KEY: 'the secret' }

// shows: files-limit
it.each([
  ['1', 1],
  ['500MiB', 500 * 2 ** 20],
  ['20 GiB', 20 * 2 ** 30],
  ['3GB', 3e9],
  ['7MB', 7e6],
  ['', 20 * 2 ** 30],
])('an upload limit of %j is %d bytes', (text, bytes) => {
  expect(read({ UPLOAD_LIMIT: text }).UPLOAD_LIMIT).toBe(bytes)
})

it.each(['0', '-1', '1.5GiB', '301GiB', '20gib', '1TiB', 'GiB'])('an upload limit of %j is none', (text) => {
  expect(() => read({ UPLOAD_LIMIT: text })).toThrow('UPLOAD_LIMIT is wrong')
})

it('backups lie in the data folder, closed to others, which the data folder is not', async () => {
  const data = join(dir, 'fresh')
  expect(backupStoreOf(read({ DATA_DIR: data }))).toEqual({ kind: 'folder', folder: join(data, 'backups') })
  expect((await stat(join(data, 'backups'))).mode & 0o777).toBe(0o700)
  expect((await stat(data)).mode & 0o005).toBe(0o005)
})

it('backups and what regions write can lie in buckets, under prefixes that end with a slash', () => {
  const settings = read({ ...keys, BACKUP_STORE: 's3://one/deep/down', OBJECT_STORE_URI: 's3://two-buckets/' })
  expect(backupStoreOf(settings)).toMatchObject({ kind: 'bucket', bucket: 'one', prefix: 'deep/down/' })
  expect(configuredObjectStore(settings)).toMatchObject({
    access: { endpoint: null, region: 'us-east-1', accessKey: 'key' },
    location: { bucket: 'two-buckets', prefix: '' },
  })
  expect(JSON.stringify(settings)).not.toContain('the secret')
})

it('processes that share their work share the store too', () => {
  const api = { PROCESS: 'api', SECRET_KEY: 'a secret key for tests', DATABASE_URL: 'postgres://host/x' }
  expect(() => read(api)).toThrow('BACKUP_STORE is wrong')
  expect(() => read({ ...api, BACKUP_STORE: join(dir, 'shared') })).toThrow('BACKUP_STORE is wrong')
  expect(read({ ...api, BACKUP_STORE: join(dir, 'shared'), DATA_SHARED: '1' }).DATA_SHARED).toBe(true)
  expect(read({ ...api, DATA_SHARED: '1' }).BACKUP_STORE).toBeUndefined()
  expect(read({ ...api, ...keys, BACKUP_STORE: 's3://one' }).BACKUP_STORE).toBe('s3://one')
})
