/** Writes what a transfer brings to a file, in pieces of a megabyte, as a program does that is not what is measured. */
import { open } from 'node:fs/promises'

const pieceBytes = 1 << 20

export async function writeDown(content: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const file = await open(path, 'w')
  let [gathering, other] = [Buffer.allocUnsafeSlow(pieceBytes), Buffer.allocUnsafeSlow(pieceBytes)]
  let bytes = 0
  let writing: Promise<unknown> = Promise.resolve()
  const writeGathered = async () => {
    await writing
    writing = file.write(gathering, 0, bytes)
    ;[gathering, other] = [other, gathering]
    bytes = 0
  }
  try {
    for await (const chunk of content) {
      for (let from = 0; from < chunk.byteLength; ) {
        const part = chunk.subarray(from, from + pieceBytes - bytes)
        gathering.set(part, bytes)
        bytes += part.byteLength
        from += part.byteLength
        if (bytes === pieceBytes) await writeGathered()
      }
    }
    await writeGathered()
    await writing
  } finally {
    await file.close()
  }
}
