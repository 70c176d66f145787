/** How far something is: a bar on a terminal, elsewhere a line whenever the step changes, and nothing with `--quiet`. */
import { shownText } from './shown-text.ts'
import type { Terminal } from './terminal.ts'
import { cutTo } from './text-width.ts'

export interface Progress {
  /** What happens now; null: it waits for its turn. */
  step: string | null
  /** 0 to 1; null if unknown. */
  fraction: number | null
  /** The step is a count: it changes all the time. */
  isCount?: boolean
}

export interface ProgressLine {
  show(progress: Progress): void
  /** Removes the bar. */
  end(): void
}

/** @returns null if the user wants no notes */
export function progressLine(terminal: Terminal, what: string): ProgressLine | null {
  if (terminal.isQuiet) return null
  return terminal.barColumns === null ? lines(terminal, what) : bar(terminal, what)
}

const widestBar = 24
const leastColumnsOfBar = 40

function bar(terminal: Terminal, what: string): ProgressLine {
  return {
    show({ step, fraction }) {
      // A line that is full would begin a second one on some terminals.
      const columns = (terminal.barColumns ?? 0) - 1
      const width = columns < leastColumnsOfBar ? 0 : Math.min(widestBar, Math.floor(columns / 3))
      const filled = Math.round((fraction ?? 0) * width)
      const drawn = terminal.paintNote('█'.repeat(filled), 'cyan') + '░'.repeat(width - filled)
      const percent = fraction === null ? '    ' : `${Math.floor(fraction * 100)}%`.padStart(4)
      const text = `${percent} ${shownText(`${what}: ${step ?? 'waiting in line'}`)}`
      terminal.drawBar(width === 0 ? cutTo(text, columns) : `${drawn} ${cutTo(text, columns - width - 1)}`)
    },
    end: () => terminal.drawBar(''),
  }
}

/** Between lines about a count. */
const leastStep = 0.1
const longestSilenceSeconds = 60

function lines(terminal: Terminal, what: string): ProgressLine {
  let last: { step: string | null; fraction: number; at: number } | null = null
  return {
    show({ step, fraction, isCount = false }) {
      if (last !== null && step === last.step) return
      const isSoon = last !== null && terminal.clock.now() - last.at < longestSilenceSeconds * 1000
      if (isCount && isSoon && (fraction ?? 0) - (last?.fraction ?? 0) < leastStep) return
      last = { step, fraction: fraction ?? 0, at: terminal.clock.now() }
      const percent = fraction === null || fraction === 0 ? '' : ` (${Math.floor(fraction * 100)}%)`
      terminal.note(`${what}: ${step ?? 'waiting in line'}${percent}`)
    },
    end: () => undefined,
  }
}
