/** `npm run postgres:upgrade -- --from <folder>`: see "A new PostgreSQL" in docs/operations.md. DATA_DIR as for the server. */
import { parseArgs } from 'node:util'
import { upgradeEmbeddedPostgres } from '@roomkeeper/embedded-postgres-server'
import pg from 'pg'
import { WrongSetting } from '#app/setting-forms.ts'
import { readSettings } from '#app/settings.ts'
import { createLog } from '#platform/log.ts'
import { applySchemaChanges } from '#platform/schema-changes.ts'

try {
  await upgrade()
} catch (error) {
  console.error(error instanceof Error ? error.message : 'unknown error')
  process.exitCode = error instanceof WrongSetting ? 2 : 1
}

// Exits explicitly: Node 24 was seen to spin for ever instead of ending when connections had just been closed.
process.exit()

async function upgrade(): Promise<void> {
  const { from } = parseArgs({ options: { from: { type: 'string' } } }).values
  if (from === undefined)
    throw new WrongSetting('--from is missing: it takes the folder with the programs of the former PostgreSQL.')
  const { DATA_DIR: dataDir, DATABASE_URL: url, LOG_LEVEL: level } = readSettings(process.env)
  if (url !== undefined)
    throw new WrongSetting('DATABASE_URL is set: this program is for the embedded PostgreSQL of DATA_DIR.')
  const upgraded = await upgradeEmbeddedPostgres({
    dataDir,
    from,
    log: createLog(level),
    prepare,
    // Cursors of the event stream count transactions of the old server, and consoles that are open know them: all
    // are fetched anew, after a new sign-in.
    leaveOut: ['public.events', 'public.sessions'],
  })
  console.log(`The data of PostgreSQL ${upgraded.from} is taken over into PostgreSQL ${upgraded.to}.`)
  console.log(`The old data is in ${upgraded.kept}; delete it when you are content.`)
}

async function prepare(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  await applySchemaChanges(pool).finally(() => pool.end())
}
