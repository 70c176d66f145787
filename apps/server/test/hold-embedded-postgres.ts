/**
 * Starts the embedded PostgreSQL of the folder given, prints its URL and stays, for tests that kill it or share it.
 */
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts'
import { testPostgresSettings } from './test-postgres-settings.ts'

const quiet = { info: () => undefined, warn: () => undefined }
const [dataDir = ''] = process.argv.slice(2)
const postgres = await startEmbeddedPostgres({ dataDir, log: quiet, settings: testPostgresSettings })
console.log(postgres.url)
process.stdin.resume()
process.stdin.once('end', () => postgres.stop().then(() => process.exit(0)))
