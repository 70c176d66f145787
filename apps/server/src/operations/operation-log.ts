/**
 * The log of a running operation. Most lines are the last of their step and are written by the statement that ends the
 * step. If none comes soon, a timer writes the line; a warning or an error is written at once.
 */
import { cleanText } from '@roomkeeper/region-protocol'
import { longestText, shownReasons } from '#platform/stored-reasons.ts'
import type { LogLine } from './operation-record.ts'

export interface OperationLog {
  say(line: LogLine): Promise<void>
  /**
   * Returns the unwritten lines to a caller that writes them in its own statement. Waits for running writes.
   */
  take(): Promise<LogLine[]>
  /** Writes the lines now. @throws what the write throws */
  write(): Promise<void>
  /** As `write`, for a process that may have lost the operation: errors go to `failed`. */
  end(): Promise<void>
}

const momentMilliseconds = 100

/** @param failed called with the error when lines could not be written in the background or at the end */
export function operationLog(
  write: (lines: readonly LogLine[]) => Promise<void>,
  failed: (error: unknown) => void,
): OperationLog {
  let lines: LogLine[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const take = async () => {
    clearTimeout(timer)
    timer = undefined
    await writing
    const taken = lines
    lines = []
    return taken
  }
  /** Joins the chain of writes at once, so that a later `take` waits for this write even if it is itself waiting. */
  const writeNow = () => {
    clearTimeout(timer)
    timer = undefined
    const mine = writing.then(() => {
      const taken = lines
      lines = []
      return taken.length === 0 ? undefined : write(taken)
    })
    writing = mine.catch(() => undefined)
    return mine
  }
  return {
    async say(line) {
      const { reasons } = line
      const coded = reasons === undefined ? {} : { reasons: shownReasons(reasons) }
      lines.push({ ...line, ...coded, text: cleanText(line.text, longestText) })
      if (line.level !== 'info') return writeNow()
      timer ??= setTimeout(() => void writeNow().catch(failed), momentMilliseconds)
    },
    take,
    write: writeNow,
    end: () => writeNow().catch(failed),
  }
}
