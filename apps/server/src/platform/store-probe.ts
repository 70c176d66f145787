/** Checks whether this process has the backup store of this console. */
import { setTimeout } from 'node:timers/promises'
import { databaseIsUnreachable } from './database-errors.ts'
import type { FileStore } from './file-store.ts'
import type { Log } from './log.ts'
import { Refusal } from './refuse.ts'

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
    if (last === null || performance.now() - last.at > storeKeptMilliseconds)
      last = { at: performance.now(), answer: look() }
    return last.answer
  }
}

function stateOf(error: unknown): [StoreState, unknown] {
  if (databaseIsUnreachable(error)) return ['unknown', error]
  return [error instanceof Refusal && error.code === 'other-store' ? 'other' : 'unreachable', error]
}
