/**
 * The anchors of the audit trail: its newest seal, written down outside of the database, so that a removed end of the
 * trail is noticed. An anchor that the trail does not have is kept, and the newer ones are written down beside it, until
 * an administrator has acknowledged it.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { makeFolder, replaceFile } from '@roomkeeper/durable-file'
import { z } from 'zod'
import { type LockPurpose, tryLockUntilCommit } from '#platform/advisory-locks.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { markKey } from '#platform/file-store/marked-store.ts'
import type { FileStore } from '#platform/file-store.ts'
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
  /** By the clock of the process, which who has the database's password cannot set. */
  keptAt: z.iso.datetime(),
})
type KeptAnchor = z.output<typeof keptAnchor>
/** The newest anchor, and those that the trail did not have when newer ones were written. */
const keptAnchors = keptAnchor.extend({ missed: z.array(keptAnchor) })
export type KeptAnchors = z.output<typeof keptAnchors>

/** An anchor that the trail does not have, and which nobody has acknowledged. */
export interface MissedAnchor extends KeptAnchor {
  /** The name of its place. */
  place: string
}

export interface AnchorPlace {
  /** For people. */
  name: string
  lock: LockPurpose
  /** False: there is no such place yet. */
  isThere(): Promise<boolean>
  read(): Promise<KeptAnchors | null>
  /** Complete or not at all. */
  write(anchors: KeptAnchors): Promise<void>
}

const anchorFile = 'audit-anchor.json'
/** Further ones prove nothing more. */
const mostMissed = 20

/** Written atomically and flushed to disk, because an anchor that a power cut undoes would prove nothing. */
export function anchorsInFolder(folder: string): AnchorPlace {
  const path = join(folder, anchorFile)
  return {
    name: path,
    lock: 'anchor of the audit trail in a folder',
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

/** Beside the mark of the backup store, once it has one: an anchor does not make a place the store. */
export function anchorsInStore(files: FileStore): AnchorPlace {
  return {
    name: `BACKUP_STORE/${anchorFile}`,
    lock: 'anchor of the audit trail in the backup store',
    isThere: async () => (await files.stat(markKey)) !== null,
    async read() {
      if ((await files.stat(anchorFile)) === null) return null
      return parse(await text(await files.open(anchorFile)), anchorFile)
    },
    async write(anchors) {
      const content = Buffer.from(`${JSON.stringify(anchors)}\n`)
      await files.put(anchorFile, Readable.from([content], { objectMode: false }), { size: content.length })
    },
  }
}

function parse(content: string | null, file: string): KeptAnchors | null {
  if (content === null) return null
  try {
    return keptAnchors.parse(JSON.parse(content))
  } catch {
    throw new Error(`${file} is no anchor of the audit trail. Please keep it elsewhere, and remove it here.`)
  }
}

export interface Kept {
  head: Anchor
  missed: MissedAnchor[]
}

/**
 * Compares what the place has with the trail, and writes down the newest seal there unless it has it. Several processes
 * may write to one place: the lock keeps an older anchor from replacing a newer one.
 * @returns null: another process is about it
 */
export async function keepAnchor(tx: Tx, place: AnchorPlace): Promise<Kept | null> {
  if (!(await tryLockUntilCommit(tx, place.lock))) return null
  const kept = await place.read()
  const missed = kept === null ? [] : await missedOf(tx, kept)
  const head = await readHead(tx)
  const isSame = kept !== null && isAnchor(kept, head) && kept.missed.length === missed.length
  if (head.position > 0 && !isSame)
    await place.write({ ...head, keptAt: new Date().toISOString(), missed: missed.slice(0, mostMissed) })
  return { head, missed: missed.map((anchor) => ({ ...anchor, place: place.name })) }
}

/** Reads what the place has, and changes nothing. */
export async function readMissed(db: Db, place: AnchorPlace): Promise<MissedAnchor[]> {
  const kept = (await place.isThere()) ? await place.read() : null
  return kept === null ? [] : (await missedOf(db, kept)).map((anchor) => ({ ...anchor, place: place.name }))
}

export async function readHead(db: Db | Tx): Promise<Anchor> {
  const [head] = await queryRows<Anchor>(db, `select position, encode(hash, 'hex') as hash from audit_head`)
  return head ?? { position: 0, hash: '' }
}

export function isAnchor(one: Anchor, other: Anchor): boolean {
  return one.position === other.position && one.hash === other.hash
}

/** The oldest first. An acknowledgement covers what was written down before it. */
async function missedOf(db: Db | Tx, { missed, ...newest }: KeptAnchors): Promise<KeptAnchor[]> {
  const anchors = [...missed, newest]
  const found = await queryRows<Anchor>(
    db,
    `select position, encode(hash, 'hex') as hash from audit_seals where position = any($1::bigint[])`,
    [anchors.map(({ position }) => position)],
  )
  const [{ at } = { at: null }] = await queryRows<{ at: string | null }>(
    db,
    `select max(at) as at from audit where action = 'audit.acknowledge'`,
  )
  const acknowledgedAt = at === null ? 0 : Date.parse(at)
  return anchors.filter(
    (anchor) => Date.parse(anchor.keptAt) > acknowledgedAt && !found.some((seal) => isAnchor(seal, anchor)),
  )
}
