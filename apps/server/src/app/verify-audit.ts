/**
 * `npm run audit:verify`: checks the whole audit trail in the database of the settings. Exit code 0: intact; 1:
 * damaged; 2: the check could not be done. Changes nothing except that it adds due seals.
 * `--expect <position>:<hash>`: an anchor, a seal that was written down, such as in a log. `--certificate <file>`: the
 * certificate of a purge, which the trail has to vouch for.
 */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Anchor, readAnchor, verifyAudit, verifyCertificate } from '#operators/index.ts'
import { openDatabase } from '#platform/database.ts'
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts'
import { createLog } from '#platform/log.ts'

try {
  process.exitCode = await verify()
} catch (error) {
  console.error(`The audit trail could not be checked: ${error instanceof Error ? error.message : 'unknown error'}`)
  process.exitCode = 2
}

// Exits explicitly: Node 24 was seen to spin for ever instead of ending when connections had just been closed.
process.exit()

async function verify(): Promise<number> {
  const { values } = parseArgs({
    options: { expect: { type: 'string', multiple: true }, certificate: { type: 'string' } },
  })
  // Before anything is started: a file that cannot be read is no damage.
  const certificate = values.certificate === undefined ? null : await readFile(values.certificate, 'utf8')
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
    const wrong = certificate === null ? null : await verifyCertificate(database.db, certificate)
    if (wrong !== null) {
      console.error(wrong)
      return 1
    }
    if (certificate !== null) console.log('The certificate is genuine: the audit trail vouches for it.')
    const entries = checked === 1 ? 'entry' : 'entries'
    console.log(`The audit trail is whole: ${checked} ${entries}. Its newest seal is ${newest.position}:${newest.hash}`)
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
