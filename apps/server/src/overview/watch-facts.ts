/** Stores which facts need attention, so that consoles and webhooks are told when that changes. */
import { recordChange } from '#changes/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { type Fact, findFacts } from './find-facts.ts'

const everySeconds = 5

export function startWatching(scheduler: Scheduler, database: Database): void {
  scheduler.start({
    name: 'watch of what needs attention',
    everySeconds,
    scope: 'cluster',
    ignoresClock: true,
    run: () => database.transaction(storeFacts),
  })
}

type StoredFact = Omit<Fact, 'link'>

async function storeFacts(tx: Tx): Promise<void> {
  // A second process may do the same for a moment, when the lock of the first was lost.
  await queryRows(tx, 'lock table attention in exclusive mode')
  await queryRows(tx, `delete from process_faults where seen_at < now() - interval '1 minute'`)
  const before = await queryRows<StoredFact>(
    tx,
    'select kind, subject, severity, since, count, params, text from attention',
  )
  const now = await findFacts(tx)
  const ended = before.filter((fact) => find(now, fact) === undefined)
  for (const fact of ended) {
    await queryRows(tx, 'delete from attention where kind = $1 and subject = $2', [fact.kind, fact.subject])
    await tell(tx, 'ended', fact)
  }
  let isCounted = false
  for (const { link: _, ...fact } of now) {
    const known = find(before, fact)
    if (known !== undefined && isSame(known, fact)) continue
    await storeFact(tx, fact)
    if (known === undefined) await tell(tx, 'began', fact)
    else if (known.severity !== fact.severity) await tell(tx, 'changed', fact)
    else isCounted = true
  }
  if (isCounted) await recordChange(tx, { kind: 'attention.updated' })
}

function find<Each extends StoredFact>(facts: readonly Each[], { kind, subject }: StoredFact): Each | undefined {
  return facts.find((each) => each.kind === kind && each.subject === subject)
}

function isSame(one: StoredFact, other: StoredFact): boolean {
  return one.severity === other.severity && one.count === other.count && one.text === other.text
}

async function storeFact(tx: Tx, { kind, subject, severity, since, count, params, text }: StoredFact): Promise<void> {
  await queryRows(
    tx,
    `insert into attention (kind, subject, severity, since, count, params, text) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (kind, subject) do update
       set severity = excluded.severity, count = excluded.count, params = excluded.params, text = excluded.text`,
    [kind, subject, severity, since, count, JSON.stringify(params), text],
  )
}

function tell(tx: Tx, what: 'began' | 'changed' | 'ended', { subject, ...fact }: StoredFact): Promise<void> {
  // An event about failing webhooks might fail, too, and so lead to the next one.
  if (fact.kind === 'webhooks-failing') return recordChange(tx, { kind: 'attention.updated' })
  const about = { orderingKey: `attention ${fact.kind} ${subject}`, roomId: null, roomName: null }
  return recordChange(tx, { kind: 'attention.changed', events: async () => [{ data: { what, ...fact }, ...about }] })
}
