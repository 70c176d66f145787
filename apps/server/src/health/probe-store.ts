/** Looks whether this process has the store of this console: when somebody asks, at most every 5 seconds. */
import { setTimeout } from 'node:timers/promises'
import { databaseIsUnreachable } from '#platform/database-errors.ts'
import type { FileStore } from '#platform/file-store.ts'
import type { Log } from '#platform/log.ts'
import { Refusal } from '#platform/refuse.ts'

/** `other`: the place that the settings name is not the store, for example because its disk is not mounted. */
export type StoreState = 'ok' | 'other' | 'unreachable' | 'unknown'
export type StoreProbe = () => Promise<StoreState>

const keptMilliseconds = 5000
/** Shorter than the wait of `/readyz`. */
const timeoutMilliseconds = 2500

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
      setTimeout(timeoutMilliseconds, ['unreachable', null] as [StoreState, unknown], { ref: false }),
    ])
    if (state !== logged && state !== 'unknown') {
      logged = state
      if (state === 'ok') log.info('the backup store is there again')
      else log.error({ err: error }, 'the backup store cannot be used')
    }
    return state
  }
  return () => {
    if (last === null || Date.now() - last.at > keptMilliseconds) last = { at: Date.now(), answer: look() }
    return last.answer
  }
}

function stateOf(error: unknown): [StoreState, unknown] {
  if (databaseIsUnreachable(error)) return ['unknown', error]
  return [error instanceof Refusal && error.code === 'other-store' ? 'other' : 'unreachable', error]
}
