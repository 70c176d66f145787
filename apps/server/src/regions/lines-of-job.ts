/** Copies the log of a region's job to the operation's log: as much of it as is useful. */
import { cleanText, type JobLine } from '@roomkeeper/region-protocol'
import type { StepCall } from '#operations/index.ts'

const linesAtMost = 10_000

type Log = Pick<StepCall<unknown, unknown>, 'log'>

/** By step: another try of a step gets all earlier lines of its job again. */
const heard = new WeakMap<Log, number>()

export function linesOf(call: Log): { add(lines: readonly Pick<JobLine, 'level' | 'text'>[]): Promise<void> } {
  return {
    async add(lines) {
      for (const { level, text } of lines) {
        const count = (heard.get(call) ?? 0) + 1
        if (count > linesAtMost + 1) return
        heard.set(call, count)
        if (count > linesAtMost) await call.log('More was said; it is not kept.', 'warning')
        else await call.log(cleanText(text), level)
      }
    },
  }
}
