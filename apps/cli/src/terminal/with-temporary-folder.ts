import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure, usageFailure } from '#failure.ts'
import { unlessStopped } from './unless-stopped.ts'

/** The folder is gone afterwards, also after Ctrl-C: it may hold gigabytes. */
export async function withTemporaryFolder<Result>(
  use: (folder: string, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const interrupted = () => new Failure('interrupted', 'Stopped; nothing was changed.')
  return unlessStopped({ interrupted }, async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-')).catch((error: Error) => {
      throw usageFailure(`No folder can be made for the file: ${error.message}`, 'TMPDIR names another place.')
    })
    try {
      return await use(folder, signal)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}
