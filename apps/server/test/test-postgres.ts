/** The PostgreSQL of all test runs on this machine; its data is kept in the folder for temporary files. */
import { chmod, mkdir } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres.ts'
import { testPostgresSettings } from './test-postgres-settings.ts'

/** Started, or shared with whoever uses it at the moment; stopped by the last one's `stop`. */
export async function startTestPostgres(): Promise<EmbeddedPostgres> {
  const dataDir = join(tmpdir(), `roomkeeper-test-postgres-${userInfo().username}`)
  await mkdir(dataDir, { recursive: true })
  await chmod(dataDir, 0o755)
  const log = { info: () => undefined, warn: () => undefined }
  return startEmbeddedPostgres({ dataDir, log, settings: testPostgresSettings })
}
