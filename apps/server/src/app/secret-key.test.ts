import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { storedSecretKey } from './secret-key.ts'

const dir = await mkdtemp(join(tmpdir(), 'roomkeeper-secret-key-'))
afterAll(() => rm(dir, { recursive: true, force: true }))

// shows: settings-key
it('a key is made once, for its owner alone, and leaves nothing beside it', async () => {
  const folder = join(dir, 'new', 'deep')
  const made = storedSecretKey(folder).reveal()
  expect(made.length).toBeGreaterThanOrEqual(40)
  expect(storedSecretKey(folder).reveal()).toBe(made)
  expect(await readdir(folder)).toEqual(['secret.key'])
  expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600)
})

it.each(['', '\n', 'half a key'])('a key that was cut off (%j) stops the start, and is left as it is', async (left) => {
  await writeFile(join(dir, 'secret.key'), left)
  expect(() => storedSecretKey(dir)).toThrow('secret.key is not whole')
  expect(await readdir(dir)).toContain('secret.key')
})
