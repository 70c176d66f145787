/** How far something is: a bar on a terminal, elsewhere a line whenever the step changes. */
import { coloured } from './colours.ts'
import { say } from './say.ts'
import { shownText } from './shown-text.ts'
import { cutTo } from './text-width.ts'

export interface Progress {
  /** What happens now; null: it waits for its turn. */
  step: string | null
  /** 0 to 1; null: nobody knows. */
  fraction: number | null
}

export interface ProgressLine {
  show(progress: Progress): void
  /** Takes the bar away. */
  end(): void
}

const barWidth = 24

export function progressLine(what: string): ProgressLine {
  const isBar = process.stderr.isTTY === true && process.env.TERM !== 'dumb'
  return isBar ? bar(what) : lines(what)
}

function bar(what: string): ProgressLine {
  return {
    show({ step, fraction }) {
      const filled = Math.round((fraction ?? 0) * barWidth)
      const drawn = coloured('█'.repeat(filled), 'cyan', process.stderr) + '░'.repeat(barWidth - filled)
      const percent = fraction === null ? '    ' : `${Math.floor(fraction * 100)}%`.padStart(4)
      const width = (process.stderr.columns || 80) - barWidth - percent.length - 3
      const text = cutTo(shownText(`${what}: ${step ?? 'waiting in line'}`), Math.max(width, 1))
      process.stderr.write(`\r\u001b[2K${drawn} ${percent} ${text}`)
    },
    end: () => void process.stderr.write('\r\u001b[2K'),
  }
}

function lines(what: string): ProgressLine {
  let last: string | null | undefined
  return {
    show({ step, fraction }) {
      if (step === last) return
      last = step
      const percent = fraction === null || fraction === 0 ? '' : ` (${Math.floor(fraction * 100)}%)`
      say(`${what}: ${step ?? 'waiting in line'}${percent}`)
    },
    end: () => undefined,
  }
}
