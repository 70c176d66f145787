/** Whichever disk call fails, the file has the old or the new content, and success means that it is on disk. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder, replaceFile } from '@roomkeeper/durable-file'
import { openConnection } from '@roomkeeper/embedded-postgres-server/low-level'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createMailer } from '#platform/mail.ts'
import { type FileCall, fileFaultHit, planFileFault } from './file-faults.ts'

const parent = await mkdtemp(join(tmpdir(), 'roomkeeper-durable-file-'))
afterAll(() => rm(parent, { recursive: true, force: true }))
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(parent, 'one-'))
})

describe('a file that is replaced', () => {
  it('has its old content or its new one after a failure of any call, and no temporary file lies beside it', async () => {
    const path = join(folder, 'kept.json')
    const met = await callsOf(async (at) => {
      await writeFile(path, 'old')
      planFileFault({ under: folder, at, how: 'EIO' })
      const failed = await replaceFile(path, 'new').then(
        () => false,
        () => true,
      )
      const hit = endFault()
      expect(failed).toBe(hit !== null)
      expect(['old', 'new']).toContain(await readFile(path, 'utf8'))
      if (!failed) expect(await readFile(path, 'utf8')).toBe('new')
      expect(await readdir(folder)).toEqual(['kept.json'])
      return hit
    })
    expect(met).toEqual(['open', 'write', 'sync', 'close', 'rename', 'open', 'sync', 'close'])
  })

  it('lies in folders whose names are on disk too', async () => {
    const met = await callsOf(async (at) => {
      await rm(join(folder, 'a'), { recursive: true, force: true })
      planFileFault({ under: folder, at, call: 'sync', how: 'EIO' })
      await makeFolder(join(folder, 'a', 'b')).catch(() => undefined)
      return endFault()
    })
    expect(met).toEqual(['sync', 'sync'])
  })
})

describe('relied on only when it is on disk', () => {
  it('the password of the embedded PostgreSQL', async () => {
    planFileFault({ under: folder, at: 1, call: 'sync', how: 'EIO' })
    await expect(openConnection(folder)).rejects.toThrow('EIO')
    expect(endFault()).toBe('sync')
    expect(await readdir(folder)).toEqual([])
  })

  it('an e-mail in the outbox', async () => {
    const send = createMailer({ smtpUrl: undefined, from: 'a@b.example', language: 'en', outbox: folder })
    const text = { subject: 'Hello', body: 'You.' }
    const mail = { id: 'one', to: 'c@d.example', text: { en: text, de: text } }
    const limits = { sendMilliseconds: 1000, answerMilliseconds: 1000 }
    planFileFault({ under: folder, at: 1, call: 'sync', how: 'EIO' })
    await expect(send(mail, limits)).rejects.toThrow('EIO')
    expect(endFault()).toBe('sync')
    expect(await readdir(folder)).toEqual([])
    await send(mail, limits)
    expect(await readdir(folder)).toEqual(['one.eml'])
    expect((await stat(join(folder, 'one.eml'))).mode & 0o777).toBe(0o600)
  })
})

/** Repeats the attempt with the fault one call later each time. @returns the calls that failed, in order */
async function callsOf(attempt: (at: number) => Promise<FileCall | null>): Promise<FileCall[]> {
  const met: FileCall[] = []
  for (let at = 1; ; at++) {
    const hit = await attempt(at)
    if (hit === null) return met
    met.push(hit)
  }
}

function endFault(): FileCall | null {
  const hit = fileFaultHit()
  planFileFault(null)
  return hit?.call ?? null
}
