/** Uploads that are large compared to the server's memory or the disk. */
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { bootNetwork, mountSmallDisk, type Network, type RunningServer } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { craftBackup, manifestOf } from './craft-backup.ts'
import { type ZipEntry, zipPieces } from './craft-zip.ts'
import { isOwnFile } from './own-files.ts'
import { refusalOf, sendFiles, uploadPaths } from './send-file.ts'

const smallDisk = mountSmallDisk(10)

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 0 })
})
afterAll(async () => {
  await network?.stop()
  smallDisk?.remove()
})

describe('an upload of 1 GiB', () => {
  // shows: files-memory
  it('needs less than 300 MB of memory', async () => {
    const size = 1024 ** 3
    // Resets the peak, because loading its own code at the start takes the server more memory than its work.
    await writeFile(`/proc/${network.server.child.pid}/clear_refs`, '5')
    const answer = await sendZip(network.server, withLargeDatabase(size))
    expect(answer).toContain('"kind":"room"')
    expect(await peakMemoryOf(network.server)).toBeLessThan(300e6)
  })
})

describe.skipIf(smallDisk === null)('a disk that is full', () => {
  it('refuses the upload in words, and keeps nothing of it; a smaller one then fits', async () => {
    const folder = smallDisk?.folder ?? ''
    // Or this would not be the store.
    await network.database.rows('delete from backup_store')
    const server = await network.addServer({ BACKUP_STORE: folder })
    const there = { ...network, server }
    const tooLarge = craftBackup({ 'system.db': randomBytes(12_000_000) })
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const answer = await refusalOf(sendFiles(there, 'uploadBackup', [{ content: tooLarge }]))
      expect(answer).toBe('507 There is no space left on the storage.')
      expect(await filesIn(folder)).toEqual([])
    }
    const smaller = craftBackup({ 'system.db': randomBytes(6_000_000) })
    expect(await refusalOf(sendFiles(there, 'uploadBackup', [{ content: smaller }]))).toBe('200 accepted')
    await server.stop()
  })
})

function withLargeDatabase(size: number): ZipEntry[] {
  const files = { 'system.db': 'system' }
  const manifest = manifestOf(files)
  manifest.files.push({ path: 'databases/large.db', size, sha256: sha256OfZeros(size) })
  return [
    { name: 'manifest.json', content: JSON.stringify(manifest) },
    { name: 'system.db', content: 'system' },
    { name: 'databases/large.db', content: { zeros: size } },
  ]
}

function sha256OfZeros(count: number): string {
  const [hash, piece] = [createHash('sha256'), Buffer.alloc(1024 * 1024)]
  for (let left = count; left > 0; left -= piece.length) hash.update(piece.subarray(0, left))
  return hash.digest('hex')
}

/** @returns the body of the answer */
async function sendZip(server: RunningServer, entries: ZipEntry[]): Promise<string> {
  function* form() {
    yield Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="large.zip"\r\n\r\n')
    yield* zipPieces(entries)
    yield Buffer.from('\r\n--b--\r\n')
  }
  const sending = request(server.address + uploadPaths.uploadBackup, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.admin.token}`, 'content-type': 'multipart/form-data; boundary=b' },
  })
  const answered = new Promise<string>((resolve, reject) => {
    sending.once('response', (answer) => text(answer).then(resolve, reject)).once('error', reject)
  })
  await pipeline(Readable.from(form(), { objectMode: false }), sending)
  return answered
}

/** The peak in bytes since the start or the last reset. */
async function peakMemoryOf(server: RunningServer): Promise<number> {
  const status = await readFile(`/proc/${server.child.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((each) => each.isFile() && !isOwnFile(each.name)).map((each) => each.name)
}
