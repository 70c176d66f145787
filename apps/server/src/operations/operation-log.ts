/**
 * The log of a running operation. Most lines are the last of their step: they are written with the statement that ends
 * it. A line that nothing follows is written by itself a moment later; a warning or an error at once.
 */
import { cleanText } from '@roomkeeper/region-protocol'
import { longestText } from './failures.ts'
import type { LogLine } from './operation-record.ts'

export interface OperationLog {
  say(line: LogLine): Promise<void>
  /**
   * Takes the lines that are not written yet, for a caller that writes them with something else. Waits for writes under
   * way.
   */
  take(): Promise<LogLine[]>
  /** Writes it now. @throws what the write throws */
  write(): Promise<void>
  /** The same when this process loses or hands over the operation, as far as that is still possible. */
  end(): Promise<void>
}

const momentMilliseconds = 100

/** @param failed called with lines that could not be written in the background */
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
  /** Chained at once: a later `take` waits for this write, also while it still waits for another. */
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
      lines.push({ ...line, text: cleanText(line.text, longestText) })
      if (line.level !== 'info') return writeNow()
      timer ??= setTimeout(() => void writeNow().catch(failed), momentMilliseconds)
    },
    take,
    write: writeNow,
    end: () => writeNow().catch(failed),
  }
}
