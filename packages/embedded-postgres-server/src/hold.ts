/**
 * Runs an embedded PostgreSQL for tests that may be killed: `node hold.ts '<JSON>'` with the options of
 * `startEmbeddedPostgres`. It prints the URL and stays until its standard input ends.
 */
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start.ts'

const options = JSON.parse(process.argv[2] ?? '{}') as Omit<EmbeddedPostgresOptions, 'log'>
const log = { info: () => undefined, warn: (_: object, message: string) => console.error(message) }
try {
  const postgres = await startEmbeddedPostgres({ ...options, log })
  console.log(postgres.url)
  process.stdin.resume().once('end', () => postgres.stop().then(() => process.exit(0)))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
