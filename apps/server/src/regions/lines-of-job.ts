/** Copies the log of a region's job to the operation's log, up to a limit. */
import { because, type CodedReason } from '@roomkeeper/contract'
import { cleanText, type JobLine } from '@roomkeeper/region-protocol'
import type { StepCall } from '#operations/index.ts'

const linesAtMost = 10_000

type Log = Pick<StepCall<unknown>, 'log'>

/** Lines counted per step call, because another try of a step gets all earlier lines of its job again. */
const lineCounts = new WeakMap<Log, number>()

/** The region's own words, which nobody can translate. */
function said(told: string, region: string | undefined): CodedReason {
  return region === undefined ? because('told', { told }) : because('log-line-of-region', { region, told })
}

/** @param from the region, which is named in each line */
export function linesOf(
  call: Log,
  from?: string,
): { add(lines: readonly Pick<JobLine, 'level' | 'text'>[]): Promise<void> } {
  return {
    async add(lines) {
      for (const { level, text } of lines) {
        const count = (lineCounts.get(call) ?? 0) + 1
        if (count > linesAtMost + 1) return
        lineCounts.set(call, count)
        if (count > linesAtMost) await call.log([because('log-more-said')], 'warning')
        else await call.log([said(cleanText(text), from)], level)
      }
    },
  }
}
