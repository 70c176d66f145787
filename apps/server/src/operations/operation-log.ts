/**
 * What a running operation says. Most lines are the last word of a step: they go with the write that ends it. One that
 * nothing follows is written by itself a moment later; a warning or an error at once.
 */
import { shownText } from '@roomkeeper/region-protocol'
import { longestText } from './failures.ts'
import type { Line } from './journal.ts'

export interface OperationLog {
  say(line: Line): Promise<void>
  /** What is not written yet, for whoever writes it with something else. Waits for what is being written. */
  take(): Promise<Line[]>
  /** Writes it now. @throws what the write throws */
  write(): Promise<void>
  /** The same when this process parts from the operation, as far as that is still possible. */
  end(): Promise<void>
}

const momentMilliseconds = 100

/** @param failed what could not be written by itself, and what nobody waits for */
export function operationLog(
  write: (lines: readonly Line[]) => Promise<void>,
  failed: (error: unknown) => void,
): OperationLog {
  let lines: Line[] = []
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
  /** In line at once: whoever takes after this waits for it, also while it still waits for another. */
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
      lines.push({ ...line, text: shownText(line.text, longestText) })
      if (line.level !== 'info') return writeNow()
      timer ??= setTimeout(() => void writeNow().catch(failed), momentMilliseconds)
    },
    take,
    write: writeNow,
    end: () => writeNow().catch(failed),
  }
}
