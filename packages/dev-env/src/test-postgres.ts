/** The PostgreSQL that all test runs on this machine share. Its data is in the folder for temporary files. */
import { chmod, mkdir } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '@roomkeeper/embedded-postgres-server'

/** The options to start this PostgreSQL, or to share it if it already runs. */
export async function testPostgresOptions(): Promise<EmbeddedPostgresOptions> {
  const dataDir = join(tmpdir(), `roomkeeper-test-postgres-${userInfo().username}`)
  await mkdir(dataDir, { recursive: true })
  await chmod(dataDir, 0o755)
  return {
    dataDir,
    // Fast, but not safe on power loss. The first program to start PostgreSQL sets them.
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' },
  }
}

/** The last `stop` shuts it down. */
export async function startTestPostgres(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres(await testPostgresOptions())
}
