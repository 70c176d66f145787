/**
 * The locks of recurring work that one process at a time does for the cluster. The session of one connection holds all
 * of a process, so that long work takes no connection from calls and operations.
 */
import type { Database } from './database.ts'
import { pause } from './pause.ts'
import { whileRenewed } from './while-renewed.ts'

export interface WorkLocks {
  /**
   * Does the work of this name unless another process is doing it. When its time is over, the lock is given up, so that
   * others can go on although the work hangs here.
   * @param work its signal fires when the lock is given up or lost
   * @returns when the work has ended, or at once if another process is doing it
   * @throws what the work throws; Error when the lock was lost
   */
  runIfFree(name: string, limit: TimeLimit, work: (lost: AbortSignal) => Promise<unknown>): Promise<void>
  close(): void
}

export interface TimeLimit {
  milliseconds: number
  onPassed(): void
}

interface Session {
  /** One statement after the other. */
  ask(text: string, values?: readonly string[]): Promise<{ mine?: boolean }[]>
  /** Fires when the session has ended, and its locks with it. */
  ended: AbortSignal
  drop(): void
}

const renewMilliseconds = 2_000
const lock = `select pg_try_advisory_lock(hashtextextended('recurring work ' || $1, 0)) as mine`
const unlock = `select pg_advisory_unlock(hashtextextended('recurring work ' || $1, 0))`

export function createWorkLocks(database: Database): WorkLocks {
  let current: Promise<Session> | null = null
  let isClosed = false

  const session = (): Promise<Session> => {
    if (current !== null) return current
    const forget = () => {
      if (current === opening) current = null
    }
    const opening = openSession(database, forget)
    current = opening
    opening.catch(forget)
    return opening
  }

  return {
    async runIfFree(name, limit, work) {
      if (isClosed) return
      const { ask, ended, drop } = await session()
      if ((await ask(lock, [name]))[0]?.mine !== true) return
      const over = new AbortController()
      const doing = work(AbortSignal.any([ended, over.signal]))
      const late = () => pause(limit.milliseconds, over.signal).then(() => over.signal.aborted || limit.onPassed())
      try {
        await whileRenewed(
          () => ask('select').catch(drop),
          renewMilliseconds,
          () => Promise.race([doing, late()]),
        )
      } finally {
        over.abort()
        await ask(unlock, [name]).catch(drop)
      }
      await doing
      if (ended.aborted && !isClosed) throw new Error('Its lock was lost meanwhile.')
    },
    close() {
      isClosed = true
      void current?.then(
        ({ drop }) => drop(),
        () => undefined,
      )
    },
  }
}

async function openSession(database: Database, onEnd: () => void): Promise<Session> {
  const limits = { statementSeconds: 10, answerSeconds: 10 }
  const client = await database.openConnection({ name: 'roomkeeper locks', ...limits })
  const ended = new AbortController()
  const end = () => {
    ended.abort()
    onEnd()
  }
  client.on('end', end)
  client.on('error', end)
  let last: Promise<unknown> = Promise.resolve()
  const ask: Session['ask'] = (text, values = []) => {
    const asked = last.then(() => client.query<{ mine?: boolean }>(text, [...values]))
    last = asked.catch(() => undefined)
    return asked.then(({ rows }) => rows)
  }
  const drop = () => {
    end()
    client.connection.stream.destroy()
  }
  // PostgreSQL ends the session of a process that stands still, and its locks with it; an unused connection goes, too.
  await ask(`set idle_session_timeout = '60s'`)
  return { ask, drop, ended: ended.signal }
}
