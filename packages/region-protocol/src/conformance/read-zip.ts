/** Reads a backup's .zip without the region, and expects what docs/region/formats.md says of its entries. */
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import yauzl, { type Entry } from 'yauzl'
import { CheckFailed, expectEqual, expectThat } from './check.ts'

/** @returns the contents of the entries by name, in the order of the archive */
export async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  try {
    const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true })
    for await (const entry of zip.eachEntry()) {
      expectEntry(entry)
      expectThat(!files.has(entry.fileName), `each name once in the backup's .zip`, entry.fileName)
      const content = await buffer(await zip.openReadStreamPromise(entry))
      expectEqual(crc32(content), entry.crc32, `the CRC-32 of ${entry.fileName}`)
      files.set(entry.fileName, content)
    }
  } catch (error) {
    if (error instanceof CheckFailed) throw error
    throw new CheckFailed(`expected a backup that is a whole .zip, got one of which yauzl says: ${error}`)
  }
  return files
}

function expectEntry({ fileName, compressionMethod, generalPurposeBitFlag }: Entry): void {
  expectThat([0, 8].includes(compressionMethod), `method 0 or 8 for ${fileName}`, compressionMethod)
  expectThat((generalPurposeBitFlag & encrypted) === 0, `${fileName} not encrypted`, generalPurposeBitFlag)
  const isAscii = /^[\0-\x7f]*$/.test(fileName)
  expectThat(isAscii || (generalPurposeBitFlag & utf8) !== 0, `bit 11 set for ${fileName}`, generalPurposeBitFlag)
}

const encrypted = 1
const utf8 = 1 << 11
