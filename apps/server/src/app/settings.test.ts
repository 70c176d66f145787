/** The defaults of settings, and secrets that are none. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readSettings } from './settings.ts'

const dir = await mkdtemp(join(tmpdir(), 'roomkeeper-settings-'))
afterAll(() => rm(dir, { recursive: true, force: true }))

// shows: rooms-202
it('a call waits 25 seconds for a region', () => {
  expect(readSettings({ DATA_DIR: dir }).REGION_WAIT_SECONDS).toBe(25)
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

it('a SECRET_KEY of the example can be replaced by another', () => {
  const old = 'change-me-to-the-output-of-openssl-rand-base64-32'
  const settings = readSettings({ DATA_DIR: dir, SECRET_KEY: 'a secret key for tests', SECRET_KEY_OLD: old })
  expect(settings.SECRET_KEY_OLD?.reveal()).toBe(old)
})
