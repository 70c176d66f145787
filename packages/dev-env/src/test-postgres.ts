/** The PostgreSQL of all test runs on this machine; its data is kept in the folder for temporary files. */
import { chmod, mkdir } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '@roomkeeper/embedded-postgres-server'

/** For starting it, or sharing the one that runs. */
export async function testPostgresOptions(): Promise<EmbeddedPostgresOptions> {
  const dataDir = join(tmpdir(), `roomkeeper-test-postgres-${userInfo().username}`)
  await mkdir(dataDir, { recursive: true })
  await chmod(dataDir, 0o755)
  return {
    application: { name: 'roomkeeper' },
    dataDir,
    // Fast, and not safe on power loss. The first start sets it.
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' },
  }
}

/** Stopped by the last one's `stop`. */
export async function startTestPostgres(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres(await testPostgresOptions())
}
