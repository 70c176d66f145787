/**
 * `npm run audit:verify`: checks the whole audit trail in the database of the settings. Exit code 0: intact; 1:
 * damaged; 2: the check could not be done. Changes nothing except that it adds due seals.
 * It compares the anchors in DATA_DIR and in the backup store of the settings. `--expect <position>:<hash>`: one more, a
 * seal that was written down, such as in a log. `--certificate <file>`: the certificate of a purge, which the trail has
 * to vouch for.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import {
  type Anchor,
  anchorPlaces,
  readMissed,
  UnreadableAnchor,
  verifyAudit,
  verifyCertificate,
} from '#operators/index.ts'
import type { Database } from '#platform/database.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import { readSettings, type Settings } from './settings.ts'
import { backupStoreOf } from './store-settings.ts'
import { withDatabase } from './with-database.ts'

try {
  process.exitCode = await verify()
} catch (error) {
  console.error(`The audit trail could not be checked: ${error instanceof Error ? error.message : 'unknown error'}`)
  process.exitCode = 2
}

// Exits explicitly: Node 24 was seen to spin for ever instead of ending when connections had just been closed.
process.exit()

interface Sources {
  database: Database
  settings: Settings
}

async function verify(): Promise<number> {
  const { values } = parseArgs({
    options: { expect: { type: 'string', multiple: true }, certificate: { type: 'string' } },
  })
  // Before anything is started: a file that cannot be read is no damage.
  const certificate = values.certificate === undefined ? null : await readFile(values.certificate, 'utf8')
  const expected = new Map((values.expect ?? []).map((given) => [`--expect ${given}`, readAnchor(given)]))
  const settings = readSettings(process.env)
  return withDatabase(settings, async (database) => {
    const anchors = new Map([...expected, ...(await missedAnchors({ database, settings }))])
    const { checked, newest, damages } = await verifyAudit(database.db, anchors)
    for (const damage of damages) console.error(damage)
    if (damages.length > 0) return 1
    const wrong = certificate === null ? null : await verifyCertificate(database.db, certificate)
    if (wrong !== null) {
      console.error(wrong)
      return 1
    }
    if (certificate !== null) console.log('The certificate is genuine: the audit trail vouches for it.')
    const entries = checked === 1 ? 'entry' : 'entries'
    console.log(`The audit trail is whole: ${checked} ${entries}. Its newest seal is ${newest.position}:${newest.hash}`)
    return 0
  })
}

function readAnchor(given: string): Anchor {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(given) ?? []
  if (position === undefined || hash === undefined) throw new Error(`--expect takes <position>:<hash>, not ${given}.`)
  return { position: Number(position), hash }
}

/** The newest anchor of each place that the trail lacks, unless it was acknowledged. */
async function missedAnchors({ database, settings }: Sources): Promise<Map<string, Anchor>> {
  const { db } = database
  const missed = new Map<string, Anchor>()
  const files = createFileStore(backupStoreOf(settings), database)
  const isDrill = settings.PROCESS === 'drill'
  for (const place of anchorPlaces({ folder: settings.DATA_DIR, files, isDrill })) {
    try {
      const newest = (await readMissed(db, place)).at(-1)
      const source = place.isStore ? 'the backup store' : `the folder ${settings.DATA_DIR}`
      if (newest !== undefined) missed.set(source, newest)
    } catch (error) {
      if (!place.isStore || error instanceof UnreadableAnchor) throw error
      const why = error instanceof Error ? error.message : 'unknown error'
      console.error(`The seal in the backup store could not be compared: ${why}`)
    }
  }
  return missed
}
