/**
 * `npm run doctor`: compares the console with its regions and the stores of the settings, and prints the differences.
 * Exit code 0: no findings; 1: findings; 2: the check could not be done. `--json` prints JSON for programs. Changes
 * nothing but the records of findings.
 */
import { parseArgs } from 'node:util'
import { englishReasons } from '@roomkeeper/contract'
import { createObjectStore } from '#backups/index.ts'
import { type RunByHand, runByHand } from '#doctor/index.ts'
import { anchorPlaces } from '#operators/index.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import { createLog } from '#platform/log.ts'
import { createSecretBox } from '#platform/secrets.ts'
import { createRegionConnections, drillConnections } from '#regions/index.ts'
import { readSettings } from './settings.ts'
import { backupStoreOf, configuredObjectStore } from './store-settings.ts'
import { withDatabase } from './with-database.ts'

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())

try {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
  const run = await look()
  console.log(values.json ? JSON.stringify(run, null, 2) : report(run))
  process.exitCode = run.total === 0 ? 0 : 1
} catch (error) {
  console.error(`The check could not be done: ${error instanceof Error ? error.message : 'unknown error'}`)
  process.exitCode = 2
}

// Exits explicitly: Node 24 was seen to spin for ever instead of ending when connections had just been closed.
process.exit()

function look(): Promise<RunByHand> {
  const settings = readSettings(process.env)
  const isDrill = settings.PROCESS === 'drill'
  return withDatabase(settings, (database) => {
    const secrets = createSecretBox(settings.SECRET_KEY, settings.SECRET_KEY_OLD)
    const files = createFileStore(backupStoreOf(settings), database)
    return runByHand({
      db: database.db,
      connectRegion: isDrill ? drillConnections() : createRegionConnections(database.db, secrets, createLog('silent')),
      stores: { files, objectStore: createObjectStore(configuredObjectStore(settings)) },
      secrets,
      anchors: anchorPlaces({ folder: settings.DATA_DIR, files, isDrill }),
      signal: stopping.signal,
      report: async (said) => console.error(englishReasons(said)),
    })
  })
}

function report({ rooms, seconds, findings, total }: RunByHand): string {
  const looked = `${rooms} project ${rooms === 1 ? 'room' : 'rooms'}, their regions and backups were looked at in ${seconds.toFixed(1)} s.`
  if (total === 0) return `${looked}\nEverything agrees.`
  const lines = findings.flatMap(({ severity, text, since, repairs }) => [
    `${severity.toUpperCase().padEnd(8)}${text}`,
    `        since ${since}${repairs.length === 0 ? '' : `; can be repaired: ${repairs.join(', ')}`}`,
  ])
  const rest = total > findings.length ? [`… and ${total - findings.length} more.`] : []
  return [looked, `${total} ${total === 1 ? 'finding' : 'findings'}:`, '', ...lines, ...rest].join('\n')
}
