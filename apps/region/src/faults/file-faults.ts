/**
 * Failures of file calls on demand: the n-th call that matches a rule fails with an error of the file system, or the
 * process is killed at that call. Each `PUT /faults` starts counting anew; `GET /faults/files` lists the calls since
 * then.
 */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type FileCall, type FileCallName, watchFiles } from '#disk/files.ts'

export const fileRule = z.object({
  /** The name of the call, such as `rename`; `*`: any call. */
  file: z.string(),
  /** A part of the path. */
  path: z.string().default(''),
  /** Which of the matching calls, counted from 1. */
  nth: z.int().min(1).default(1),
  /** Whether the rule hits all matching calls from the n-th on. */
  lasting: z.boolean().default(false),
  action: z.enum(['EIO', 'ENOSPC', 'EMFILE', 'exit-before', 'exit-after']),
})
type FileRule = z.output<typeof fileRule>

export interface FileFaults {
  replace(rules: FileRule[]): void
}

/** `die` kills the process and does not return. */
export function registerFileFaults(app: FastifyInstance, die: () => unknown): FileFaults {
  let rules: (FileRule & { found: number })[] = []
  let calls: FileCall[] = []
  app.get('/faults/files', () => calls)

  const hitBy = (rule: FileRule & { found: number }) =>
    rule.lasting ? rule.found >= rule.nth : rule.found === rule.nth
  const fits = (rule: FileRule, { call, path }: FileCall) =>
    (rule.file === '*' || rule.file === call) && path.includes(rule.path)
  watchFiles({
    before(call) {
      calls.push(call)
      const fitting = rules.filter((rule) => fits(rule, call))
      for (const rule of fitting) rule.found += 1
      const hit = fitting.find(hitBy)
      if (hit === undefined || hit.action === 'exit-after') return
      if (hit.action === 'exit-before') die()
      else throw failureOf(hit.action, call)
    },
    after(call) {
      if (rules.some((rule) => rule.action === 'exit-after' && fits(rule, call) && hitBy(rule))) die()
    },
  })
  return {
    replace(next) {
      rules = next.map((rule) => ({ ...rule, found: 0 }))
      calls = []
    },
  }
}

type Failure = 'EIO' | 'ENOSPC' | 'EMFILE'
const texts = { EIO: 'i/o error', ENOSPC: 'no space left on device', EMFILE: 'too many open files' } as const
/** SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN */
const sqliteCodes = { EIO: 10, ENOSPC: 13, EMFILE: 14 } as const

function failureOf(code: Failure, { call, path }: FileCall): Error {
  const text = `${code}: ${texts[code]} (injected), ${call} '${path}'`
  const ofSqlite = (['sqlite-open', 'sqlite-commit', 'sqlite-copy'] satisfies FileCallName[] as string[]).includes(call)
  if (ofSqlite) return Object.assign(new Error(text), { code: 'ERR_SQLITE_ERROR', errcode: sqliteCodes[code] })
  return Object.assign(new Error(text), { code, syscall: call, path })
}
