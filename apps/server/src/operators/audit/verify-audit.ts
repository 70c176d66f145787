/** Checks the chain of seals of the audit trail from its start and reports what was altered, removed or slipped in. */
import { createHash } from 'node:crypto'
import { type Db, queryRows } from '#platform/database.ts'
import { type Anchor, readHead } from './anchors.ts'
import { sealWholeAudit } from './seal-audit.ts'

export interface AuditVerdict {
  /** The number of seals that were checked. */
  checked: number
  newest: Anchor
  /** One line for each damage found, the first in the trail first. Empty if the trail is intact. */
  damages: string[]
}

const batchSize = 10_000
const firstHash = createHash('sha256').update('the audit trail of Roomkeeper').digest()

/** @param anchors earlier seals, by the name of the place where each was kept */
export async function verifyAudit(db: Db, anchors: ReadonlyMap<string, Anchor>): Promise<AuditVerdict> {
  // Seals the latest entries, so that they are verified too.
  await sealWholeAudit(db)
  // Read before the walk, because more entries may be sealed during it.
  const known = [...anchors, ['the database', await readHead(db)] as const]
  const hashes = new Map(known.map(([, { position }]) => [position, '']))
  const { newest, damage } = await walk(db, hashes)
  // A walk that stopped early has not reached the end, so comparing the end would prove nothing.
  const ends = damage === null ? known.map(([source, anchor]) => damageOfEnd(source, anchor, newest, hashes)) : []
  const damages = [damage, ...ends, await slippedIn(db)].filter((each) => each !== null)
  return { checked: newest.position, newest, damages }
}

interface SealedEntry {
  position: number
  entryId: number
  hash: Buffer
  /** Null if there is no such entry. */
  content: string | null
}

/** Stops at the first damaged entry or seal. Fills in the hashes at the `wanted` positions. */
async function walk(db: Db, wanted: Map<number, string>): Promise<{ newest: Anchor; damage: string | null }> {
  let hash: Buffer = firstHash
  let position = 0
  for (;;) {
    const batch = await queryRows<SealedEntry>(db, nextSeals, [position, batchSize])
    for (const seal of batch) {
      const damage = damageOf(seal, position, hash)
      if (damage !== null) return { newest: { position, hash: hash.toString('hex') }, damage }
      ;({ position, hash } = seal)
      if (wanted.has(position)) wanted.set(position, hash.toString('hex'))
    }
    if (batch.length < batchSize) return { newest: { position, hash: hash.toString('hex') }, damage: null }
  }
}

const nextSeals = `
  select s.position, s.entry_id, s.hash, case when a.id is not null then audit_content(a) end as content
    from audit_seals s left join audit a on a.id = s.entry_id
   where s.position > $1 order by s.position limit $2`

function damageOf({ position, entryId, hash, content }: SealedEntry, before: number, previous: Buffer): string | null {
  if (position !== before + 1) return `The seal ${before + 1} is missing.`
  if (content === null) return `Entry ${entryId} (seal ${position}) is missing.`
  const expected = createHash('sha256').update(previous).update(content).digest()
  return expected.equals(hash) ? null : `Entry ${entryId} (seal ${position}) was altered: ${summaryOf(content)}.`
}

/** Enough detail to find the entry. */
function summaryOf(content: string): string {
  const [, at, actor, action] = JSON.parse(content) as string[]
  return `it now says ${at}, ${actor}, ${action}`
}

function damageOfEnd(
  source: string,
  anchor: Anchor,
  newest: Anchor,
  hashes: ReadonlyMap<number, string>,
): string | null {
  if (anchor.position > newest.position) return cutOff(source, anchor, newest)
  if (anchor.position === 0 || hashes.get(anchor.position) === anchor.hash) return null
  return `The seals up to ${anchor.position} were made anew: ${source} knows another one.`
}

function cutOff(source: string, { position }: Anchor, newest: Anchor): string {
  return `The seals ${newest.position + 1} to ${position} are missing: ${source} knows the seal ${position}.`
}

/** Finds entries that the server did not write: every genuine entry has a seal or is waiting for one. */
async function slippedIn(db: Db): Promise<string | null> {
  const [found] = await queryRows<{ first: number; count: number; content: string }>(
    db,
    `select a.id as first, count(*) over () as count, audit_content(a) as content from audit a
      where not exists (select from audit_seals s where s.entry_id = a.id)
        and not exists (select from audit_unsealed u where u.entry_id = a.id)
      order by a.id limit 1`,
  )
  if (found === undefined) return null
  const more = found.count > 1 ? ` It is the first of ${found.count}.` : ''
  return `Entry ${found.first} was slipped in and has no seal: ${summaryOf(found.content)}.${more}`
}
