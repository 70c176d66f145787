/**
 * `npm run audit:verify`: checks the whole audit trail of the database that the settings name, and exits with 0 when it
 * is whole, 1 when it is damaged, 2 when it could not be checked. Nothing is changed, but for seals that are due.
 * `--expect <position>:<hash>`: a seal that was written down, such as in a log.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Anchor, readAnchor, verifyAudit } from '#operators/index.ts'
import { openDatabase } from '#platform/database.ts'
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts'
import { createLog } from '#platform/log.ts'

try {
  process.exitCode = await verify()
} catch (error) {
  console.error(`The audit trail could not be checked: ${error instanceof Error ? error.message : 'unknown error'}`)
  process.exitCode = 2
}

// Explicitly: with connections just closed, Node 24 was seen to spin for ever instead of ending.
process.exit()

async function verify(): Promise<number> {
  const { values } = parseArgs({ options: { expect: { type: 'string', multiple: true } } })
  const dataDir = resolve(process.env.DATA_DIR || './data')
  const anchors = await collectAnchors(dataDir, values.expect ?? [])
  const postgres = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: async () => undefined }
    : await startEmbeddedPostgres({ dataDir, log: createLog('silent') })
  const database = openDatabase(postgres.url, { patient: true })
  try {
    const { checked, newest, damages } = await verifyAudit(database.db, anchors)
    for (const damage of damages) console.error(damage)
    if (damages.length > 0) return 1
    console.log(`The audit trail is whole: ${checked} entries. Its newest seal is ${newest.position}:${newest.hash}`)
    return 0
  } finally {
    await database.close()
    await postgres.stop()
  }
}

async function collectAnchors(dataDir: string, expected: string[]): Promise<Map<string, Anchor>> {
  const anchors = new Map<string, Anchor>()
  const kept = await readAnchor(dataDir)
  if (kept !== null) anchors.set(`the folder ${dataDir}`, kept)
  for (const text of expected) {
    const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
    if (position === undefined || hash === undefined) throw new Error(`--expect takes <position>:<hash>, not ${text}.`)
    anchors.set('--expect', { position: Number(position), hash })
  }
  return anchors
}
