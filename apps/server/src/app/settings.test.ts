/** The defaults of settings. */
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
