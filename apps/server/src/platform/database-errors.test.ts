/** Errors of files have the codes of connections, but are not errors of the database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { databaseIsSilent, databaseIsUnreachable } from './database-errors.ts'
import { createFolderStore } from './file-store/folder-store.ts'

const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-database-errors-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

it('a socket of PostgreSQL that is gone is an outage of the database', async () => {
  const error = await new pg.Client({ host: folder }).connect().then(fail, asItIs)
  expect(error).toMatchObject({ code: 'ENOENT' })
  expect(databaseIsUnreachable(error)).toBe(true)
})

it('a file or folder that is gone is none', async () => {
  async function* content() {
    yield Buffer.from('x')
    await rm(join(folder, '.arriving'), { recursive: true })
  }
  const error = await createFolderStore(folder).put('rooms/x.zip', content()).then(fail, asItIs)
  expect(error).toMatchObject({ code: 'ENOENT' })
  expect(databaseIsUnreachable(error)).toBe(false)
})

it.each(['ETIMEDOUT', 'EHOSTDOWN', 'ECONNRESET'])('nor is a disk in the network that fails with %s', (code) => {
  const error = Object.assign(new Error(`${code}: open '/backups/x'`), { code, syscall: 'open', path: '/backups/x' })
  expect([databaseIsUnreachable(error), databaseIsSilent(error)]).toEqual([false, false])
})

const asItIs = (error: unknown) => error
function fail(): never {
  throw new Error('It did not fail.')
}
