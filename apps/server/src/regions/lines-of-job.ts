/** What a region's job says becomes lines of the operation's log: as much of it as people can use. */
import { type JobLine, shownText } from '@roomkeeper/region-protocol'
import type { StepCall } from '#operations/index.ts'

const linesAtMost = 10_000

type Log = Pick<StepCall<unknown, unknown>, 'log'>

/** By step: a step that is tried again hears all that its job has said before. */
const heard = new WeakMap<Log, number>()

export function linesOf(call: Log): { add(lines: readonly Pick<JobLine, 'level' | 'text'>[]): Promise<void> } {
  return {
    async add(lines) {
      for (const { level, text } of lines) {
        const count = (heard.get(call) ?? 0) + 1
        if (count > linesAtMost + 1) return
        heard.set(call, count)
        if (count > linesAtMost) await call.log('More was said; it is not kept.', 'warning')
        else await call.log(shownText(text), level)
      }
    },
  }
}
