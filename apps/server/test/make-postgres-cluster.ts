/** Makes an empty cluster in the folder given and prints how to start it, for tests that freeze or replicate one. */
import { findBinaries } from '#platform/embedded-postgres/binaries.ts'
import { ensureCluster } from '#platform/embedded-postgres/cluster.ts'
import { superuser } from '#platform/embedded-postgres/connection-file.ts'

const [dataDir = ''] = process.argv.slice(2)
const { folder, binaries, identity, connection } = await ensureCluster(
  { dataDir, settings: { fsync: 'off' } },
  await findBinaries(dataDir),
)
const { postgres: program } = binaries
console.log(JSON.stringify({ folder, program, identity, user: superuser, password: connection.password }))
