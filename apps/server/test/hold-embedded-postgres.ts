/**
 * Starts the embedded PostgreSQL of the folder given, prints its URL and stays, for tests that kill it or share it. Told
 * for how many seconds to be patient, it prints before what it has to say meanwhile, or why it could not.
 */
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts'
import { testPostgresSettings } from './test-postgres-settings.ts'

const [dataDir = '', patience] = process.argv.slice(2)
const say = (_: object, message: string) => patience !== undefined && console.log(message)
const options = { dataDir, log: { info: say, warn: say }, settings: testPostgresSettings }
const postgres = await startEmbeddedPostgres({ ...options, patienceSeconds: Number(patience ?? 30) }).catch((error) => {
  if (patience === undefined) throw error
  console.log(error.message)
  process.exit(1)
})
console.log(postgres.url)
process.stdin.resume()
process.stdin.once('end', () => postgres.stop().then(() => process.exit(0)))
