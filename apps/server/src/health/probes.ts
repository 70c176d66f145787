/** Checks of what this process needs from elsewhere, on request and not more often than every few seconds. */
import { setTimeout } from 'node:timers/promises'
import { type Db, queryRows } from '#platform/database.ts'
import { databaseIsUnreachable } from '#platform/database-errors.ts'
import type { FileStore } from '#platform/file-store.ts'
import type { Log } from '#platform/log.ts'
import { Refusal } from '#platform/refuse.ts'
import type { ConnectRegion } from '#regions/index.ts'

export interface ProbedRegion {
  region: string
  up: boolean
}

export type RegionProbe = () => Promise<ProbedRegion[]>

const regionsKeptMilliseconds = 15_000
const regionTimeoutMilliseconds = 3000

/** Checks whether each region answers: all at once when the metrics are read, at most every 15 seconds. */
export function createRegionProbe(db: Db, connectRegion: ConnectRegion): RegionProbe {
  let last: { at: number; answer: Promise<ProbedRegion[]> } | null = null
  return () => {
    if (last === null || Date.now() - last.at > regionsKeptMilliseconds) {
      const answer = probeAll(db, connectRegion)
      const probed = { at: Date.now(), answer }
      last = probed
      answer.catch(() => {
        if (last === probed) last = null
      })
    }
    return last.answer
  }
}

async function probeAll(db: Db, connectRegion: ConnectRegion): Promise<ProbedRegion[]> {
  const regions = await queryRows<{ id: number; name: string }>(db, 'select id, name from regions order by id')
  return Promise.all(regions.map(async ({ id, name }) => ({ region: name, up: await answers(connectRegion, id) })))
}

async function answers(connectRegion: ConnectRegion, id: number): Promise<boolean> {
  try {
    await (await connectRegion(id, AbortSignal.timeout(regionTimeoutMilliseconds))).status()
    return true
  } catch {
    return false
  }
}

/** `other`: the place that the settings name is not the store, for example because its disk is not mounted. */
export type StoreState = 'ok' | 'other' | 'unreachable' | 'unknown'
export type StoreProbe = () => Promise<StoreState>

const storeKeptMilliseconds = 5000
/** Shorter than the wait of `/readyz`. */
const storeTimeoutMilliseconds = 2500

/** Checks, on request and at most every 5 seconds, whether this process has the store of this console. */
export function createStoreProbe(files: FileStore, log: Log): StoreProbe {
  let last: { at: number; answer: Promise<StoreState> } | null = null
  let logged: StoreState = 'ok'
  let checking: Promise<[StoreState, unknown]> | null = null
  async function look(): Promise<StoreState> {
    // One check at a time: each that hangs holds a thread of the process.
    checking ??= files
      .check()
      .then((): [StoreState, unknown] => ['ok', null], stateOf)
      .finally(() => {
        checking = null
      })
    const [state, error] = await Promise.race([
      checking,
      setTimeout(storeTimeoutMilliseconds, ['unreachable', null] as [StoreState, unknown], { ref: false }),
    ])
    if (state !== logged && state !== 'unknown') {
      logged = state
      if (state === 'ok') log.info('the backup store is there again')
      else log.error({ err: error }, 'the backup store cannot be used')
    }
    return state
  }
  return () => {
    if (last === null || Date.now() - last.at > storeKeptMilliseconds) last = { at: Date.now(), answer: look() }
    return last.answer
  }
}

function stateOf(error: unknown): [StoreState, unknown] {
  if (databaseIsUnreachable(error)) return ['unknown', error]
  return [error instanceof Refusal && error.code === 'other-store' ? 'other' : 'unreachable', error]
}
