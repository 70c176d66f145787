/**
 * The anchors of the audit trail: its newest seal, written down outside of the database, so that a removed end of the
 * trail is noticed. An anchor that the trail does not have is kept, and the newer ones are written down beside it, also
 * when it is acknowledged: should the acknowledgement be removed from the trail, it is reported again.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, replaceFile } from '@roomkeeper/durable-file'
import { z } from 'zod'
import { type LockPurpose, tryLockUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { markKey } from '#platform/file-store/marked-store.ts'
import { type FileStore, readSmallFile, writeSmallFile } from '#platform/file-store.ts'
import type { Log } from '#platform/log.ts'
import { withTimeout } from '#platform/pause.ts'
import { hasCode } from '#platform/system-error.ts'

/** A seal that was written down outside of the database. The trail in the database must always contain it. */
export interface Anchor {
  /** Counts from 1. */
  position: number
  /** Hexadecimal. */
  hash: string
}

const keptAnchor = z.object({
  position: z.int(),
  hash: z.string(),
  /** By the clock of the process, which the owner of the database cannot set. */
  keptAt: z.iso.datetime(),
})
type KeptAnchor = z.output<typeof keptAnchor>
/** The newest anchor, and those that the trail did not have when newer ones were written. */
const keptAnchors = keptAnchor.extend({ missed: z.array(keptAnchor) })
type KeptAnchors = z.output<typeof keptAnchors>

/** An anchor that the trail does not have, and that is not acknowledged. */
export interface MissedAnchor extends KeptAnchor {
  /** The name of its place. */
  place: string
}

export interface AnchorPlace {
  /** For people. */
  name: string
  lock: LockPurpose
  /** The shortest time between two looks at it. */
  pauseMilliseconds: number
  isStore: boolean
  /** False: there is no such place yet. */
  isThere(): Promise<boolean>
  /** @throws UnreadableAnchor */
  read(): Promise<KeptAnchors | null>
  /** Complete or not at all. */
  write(anchors: KeptAnchors): Promise<void>
}

/** What is there was altered, or is something else. It is not replaced: it may tell what happened. */
export class UnreadableAnchor extends Error {
  constructor(place: string) {
    super(`${place} is no anchor of the audit trail. Please keep it elsewhere, and remove it here.`)
  }
}

/**
 * Every place in which this process keeps anchors, and compares them.
 * @param isDrill the anchors are those of the console in production, and say nothing about a restored database
 */
export function anchorPlaces(where: { folder: string; files: FileStore; isDrill: boolean }): AnchorPlace[] {
  return where.isDrill ? [] : [anchorsInFolder(where.folder), anchorsInStore(where.files)]
}

const anchorFile = 'audit-anchor.json'
/** Further ones prove nothing more. */
const mostMissed = 20

/** Written atomically and flushed to disk, because an anchor that a power cut undoes would prove nothing. */
function anchorsInFolder(folder: string): AnchorPlace {
  const path = join(folder, anchorFile)
  return {
    name: path,
    lock: 'anchor of the audit trail in a folder',
    pauseMilliseconds: 1000,
    isStore: false,
    isThere: async () => true,
    async read() {
      const content = await readFile(path, 'utf8').catch((error: unknown) => {
        if (hasCode(error, 'ENOENT')) return null
        throw error
      })
      return parse(content, path)
    },
    async write(anchors) {
      await makeFolder(folder)
      await replaceFile(path, `${JSON.stringify(anchors)}\n`)
    },
  }
}

/** Beside the mark of the backup store, once it has one: writing an anchor must not turn an unmarked place into the store. */
function anchorsInStore(files: FileStore): AnchorPlace {
  const name = `BACKUP_STORE/${anchorFile}`
  return {
    name,
    lock: 'anchor of the audit trail in the backup store',
    pauseMilliseconds: 30_000,
    isStore: true,
    isThere: async () => (await files.stat(markKey)) !== null,
    read: async () => parse(await readSmallFile(files, anchorFile), name),
    write: (anchors) => writeSmallFile(files, anchorFile, `${JSON.stringify(anchors)}\n`),
  }
}

function parse(content: string | null, place: string): KeptAnchors | null {
  if (content === null) return null
  try {
    return keptAnchors.parse(JSON.parse(content))
  } catch {
    throw new UnreadableAnchor(place)
  }
}

interface Kept {
  head: Anchor
  /** The oldest first. */
  missed: MissedAnchor[]
}

/**
 * Compares what the place has with the trail, and writes down the newest seal there unless it has it. Several processes
 * may write to one place: the lock keeps an older anchor from replacing a newer one.
 * @returns null: another process is doing this
 */
async function keepAnchor(tx: Tx, place: AnchorPlace): Promise<Kept | null> {
  if (!(await tryLockUntilCommit(tx, place.lock))) return null
  const kept = await place.read()
  const { head, missing } = await compareWithTrail(tx, kept)
  const isSame = kept !== null && isAnchor(kept, head) && kept.missed.length === missing.length
  if (head.position > 0 && !isSame) {
    const missed = missing.slice(-mostMissed).map(({ isAcknowledged: _, ...anchor }) => anchor)
    await place.write({ ...head, keptAt: new Date().toISOString(), missed })
  }
  return { head, missed: missedAt(place, missing) }
}

/** Reads what the place has, and changes nothing. @throws UnreadableAnchor */
export async function readMissed(db: Db, place: AnchorPlace): Promise<MissedAnchor[]> {
  const kept = (await place.isThere()) ? await place.read() : null
  return missedAt(place, (await compareWithTrail(db, kept)).missing)
}

function missedAt({ name: place }: AnchorPlace, missing: readonly MissingAnchor[]): MissedAnchor[] {
  return missing
    .filter(({ isAcknowledged }) => !isAcknowledged)
    .map(({ position, hash, keptAt }) => ({ position, hash, keptAt, place }))
}

export async function readHead(db: Db | Tx): Promise<Anchor> {
  const [head] = await queryRows<Anchor>(db, `select position, encode(hash, 'hex') as hash from audit_head`)
  return head ?? { position: 0, hash: '' }
}

function isAnchor(one: Anchor, other: Anchor): boolean {
  return one.position === other.position && one.hash === other.hash
}

/** An anchor that the trail does not have. */
interface MissingAnchor extends KeptAnchor {
  isAcknowledged: boolean
}

/**
 * One statement, because an end of the trail that was removed between two would be missed: the anchor would be replaced.
 * @returns the head of the trail, and the anchors that it does not have, the oldest first
 */
async function compareWithTrail(
  db: Db | Tx,
  kept: KeptAnchors | null,
): Promise<{ head: Anchor; missing: MissingAnchor[] }> {
  const { missed = [], ...newest } = kept ?? {}
  const anchors = kept === null ? [] : [...missed, newest]
  const [found] = await queryRows<Anchor & { missing: MissingAnchor[] }>(db, comparison, [JSON.stringify(anchors)])
  if (found === undefined) throw new Error('A statement without a condition gave no row.')
  const { missing, ...head } = found
  return { head, missing }
}

/**
 * SQL: whether the trail has an entry which acknowledges that it does not have this seal. Only a sealed entry counts,
 * because one without a seal can be removed again without a trace. After a dump was restored, an entry covers the seals
 * after the one with which the dump ended, if they were written down before it.
 */
export function acknowledgesSeal(position: string, hash: string, keptAt: string): string {
  return `exists (
    select from audit k
      join audit_seals ks on ks.entry_id = k.id
      cross join jsonb_to_recordset(k.detail_reasons) as said (code text, params jsonb)
     where k.action = 'audit.acknowledge'
       and case said.code
             when 'finding-audit-cut-off' then
               said.params ->> 'position' = (${position})::text and said.params ->> 'hash' = ${hash}
             when 'audit-dump-restored' then
               k.at between (${keptAt})::timestamptz and now()
               and exists (select from audit_seals d
                            where d.position = (said.params ->> 'position')::bigint
                              and encode(d.hash, 'hex') = said.params ->> 'hash'
                              and d.position < ks.position and d.position < (${position})::bigint)
             else false
           end)`
}

const comparison = `
  select coalesce((select position from audit_head), 0) as position,
         coalesce((select encode(hash, 'hex') from audit_head), '') as hash,
         coalesce((select jsonb_agg(jsonb_build_object('position', kept.position, 'hash', kept.hash, 'keptAt', kept."keptAt",
                     'isAcknowledged', ${acknowledgesSeal('kept.position', 'kept.hash', 'kept."keptAt"')}) order by kept.n)
                     from rows from (jsonb_to_recordset($1) as (position bigint, hash text, "keptAt" text))
                            with ordinality as kept (position, hash, "keptAt", n)
                    where not exists (select from audit_seals s
                                       where s.position = kept.position and encode(s.hash, 'hex') = kept.hash)),
           '[]') as missing`

interface AnchorKeeper {
  /** Something was sealed. */
  note(): void
  /** Begins what is due. */
  tick(): void
  /** Writes down what is newest, if it can be done soon. */
  stop(): Promise<void>
}

/** Tells operators, in the transaction that has found it. */
export type ReportMissed = (tx: Tx, missed: MissedAnchor) => Promise<void>

interface KeeperParts {
  database: Database
  log: Log
  report: ReportMissed
}

const atLeastEveryMilliseconds = 60_000
const patienceMilliseconds = 10_000

/**
 * Keeps the anchors of one place in step with the trail: soon after something was sealed, and once a minute in any case,
 * for what other processes have sealed. While the trail has not moved, nothing but its head is read.
 */
export function createAnchorKeeper(place: AnchorPlace, { database, log, report }: KeeperParts): AnchorKeeper {
  let isDue = true
  let lookedAt = Number.NEGATIVE_INFINITY
  let toldAt = Number.NEGATIVE_INFINITY
  /** The head of the trail when the place last had the newest seal; null: it has others, or none. */
  let lastWritten: Anchor | null = null
  let isFailing = false
  // One look at a time: each that hangs holds a thread of the process.
  let running: Promise<void> | null = null

  async function look(): Promise<void> {
    if (lastWritten !== null && isAnchor(await readHead(database.db), lastWritten)) return
    if (!(await place.isThere())) return
    const kept = await database.transaction(async (tx) => {
      const found = await keepAnchor(tx, place)
      for (const missed of found?.missed ?? []) await report(tx, missed)
      return found
    })
    if (kept === null) {
      isDue = true
      return
    }
    lastWritten = kept.missed.length === 0 ? kept.head : null
    tell(kept.missed)
  }

  function tell(missed: readonly MissedAnchor[]): void {
    if (missed.length === 0 || performance.now() - toldAt < atLeastEveryMilliseconds) return
    toldAt = performance.now()
    for (const { place: file, position, hash, keptAt } of missed)
      log.error({ file, position, hash, keptAt }, 'the audit trail does not have a seal that was written down')
  }

  async function lookPatiently(): Promise<void> {
    const work = look()
    // What hangs may hold the next look back, but no transaction: that ends with its own time-out.
    if (!(await withTimeout(patienceMilliseconds, work))) fail(new Error('it does not answer'))
    await work
    if (isFailing) log.info({ file: place.name }, 'the anchor of the audit trail is written down again')
    isFailing = false
  }

  function fail(error: unknown): void {
    isDue = true
    if (!isFailing) log.warn({ err: error, file: place.name }, 'the anchor of the audit trail is not written down')
    isFailing = true
  }

  function begin(): Promise<void> {
    isDue = false
    lookedAt = performance.now()
    running ??= lookPatiently()
      .catch(fail)
      .finally(() => {
        running = null
      })
    return running
  }

  return {
    note() {
      isDue = true
    },
    tick() {
      const since = performance.now() - lookedAt
      if (running === null && since >= (isDue ? place.pauseMilliseconds : atLeastEveryMilliseconds)) void begin()
    },
    async stop() {
      const rest = async () => {
        await running
        await begin()
      }
      await withTimeout(patienceMilliseconds, rest())
    },
  }
}
