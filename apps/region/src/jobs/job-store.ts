/** The jobs in region.db: their input without secrets, their log and their end. */
import type { DatabaseSync } from 'node:sqlite'
import type { JobInfo, JobInput, JobLine, JobState, RegionProblem } from '@roomkeeper/region-protocol'
import { committing, committingWithoutSync } from '#sqlite/database-handles.ts'

interface StoredJob {
  id: string
  type: JobInfo['type']
  room: string
  /** The input without secrets, as JSON with sorted fields. */
  input: string
  state: JobState
  progress: number
  result: unknown
  error: RegionProblem | null
}

export interface JobEnd {
  state: JobState
  result: unknown
  error: RegionProblem | null
}

export interface JobStore {
  find(id: string): StoredJob | undefined
  add(id: string, input: JobInput): void
  begin(id: string): void
  end(id: string, end: JobEnd): void
  addLine(id: string, level: JobLine['level'], text: string): void
  linesAfter(id: string, after: number): JobLine[]
  /** The jobs that a crash or restart cut off, with their recorded effects. */
  unfinished(): { id: string; effect: unknown }[]
  forgetOlderThan(days: number): void
}

export function createJobStore(database: DatabaseSync): JobStore {
  const find = database.prepare('SELECT * FROM jobs WHERE id = ?')
  const add = database.prepare(
    `INSERT INTO jobs (id, type, room, input, state, progress, createdAt) VALUES (?, ?, ?, ?, 'queued', 0, ?)`,
  )
  const begin = database.prepare("UPDATE jobs SET state = 'running' WHERE id = ?")
  const end = database.prepare(
    // An effect that did not happen is removed: its inode may later belong to another file, which would be mistaken for
    // the effect.
    `UPDATE jobs SET state = ?1, progress = iif(?1 = 'done', 1, progress), effect = iif(?1 = 'done', effect, NULL),
       result = ?2, error = ?3, endedAt = ?4 WHERE id = ?5`,
  )
  const addLine = database.prepare(
    `INSERT INTO job_lines (job, n, at, level, text)
     SELECT ?1, coalesce(max(n), 0) + 1, ?2, ?3, ?4 FROM job_lines WHERE job = ?1`,
  )
  const linesAfter = database.prepare('SELECT n, at, level, text FROM job_lines WHERE job = ? AND n > ? ORDER BY n')
  const now = () => new Date().toISOString()
  const change = (statement: () => unknown) => void committing(database, statement)
  // A power cut may take back that a job has begun and what it has logged, as long as its end is on disk. That saves a
  // sync each.
  const changeWithoutSync = (statement: () => unknown) => void committingWithoutSync(database, statement)
  return {
    find: (id) => storedJob(find.get(id)),
    add: (id, input) => change(() => add.run(id, input.type, input.room, storableInput(input), now())),
    begin: (id) => changeWithoutSync(() => begin.run(id)),
    end: (id, { state, result, error }) =>
      change(() => end.run(state, JSON.stringify(result), error === null ? null : JSON.stringify(error), now(), id)),
    addLine: (id, level, text) => changeWithoutSync(() => addLine.run(id, now(), level, text)),
    linesAfter: (id, after) => linesAfter.all(id, after) as unknown as JobLine[],
    unfinished: () =>
      database.prepare("SELECT id, effect FROM jobs WHERE state IN ('queued', 'running')").all() as {
        id: string
        effect: unknown
      }[],
    forgetOlderThan: (days) =>
      void database
        .prepare('DELETE FROM jobs WHERE endedAt < ?')
        .run(new Date(Date.now() - days * 86_400_000).toISOString()),
  }
}

const secretFields: readonly string[] = [
  'password',
  'systemPassword',
  'accessKey',
  'secretKey',
  'sessionToken',
  'ticket',
]

/** The input without secrets: inputs that differ only in their secrets have the same text. */
export function storableInput(input: JobInput): string {
  return JSON.stringify(withoutSecrets(input))
}

/** Also sorts the fields, at every depth. */
function withoutSecrets(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).filter(([name, each]) => !secretFields.includes(name) && each !== undefined)
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, each]) => [name, withoutSecrets(each)]))
}

function storedJob(row: Record<string, unknown> | undefined): StoredJob | undefined {
  if (row === undefined) return undefined
  const { result, error, ...rest } = row
  return {
    ...(rest as unknown as StoredJob),
    result: typeof result === 'string' ? JSON.parse(result) : null,
    error: typeof error === 'string' ? JSON.parse(error) : null,
  }
}
