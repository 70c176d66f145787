import { Button } from '@mantine/core'
import type { LogLine } from '@roomkeeper/contract'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatRecentMinute, useNumberFormat } from '#ui/format.ts'
import { FailureText } from './FailureText.tsx'

/** As many as are drawn without a wait that is noticed; a region's job may write many thousands. */
const maxLines = 500

/** The last of so many tries in a row that failed alike; its number is that of the first. */
interface FoldedLine extends LogLine {
  tries: number
  since: string
}

interface LatestLinesProps {
  lines: readonly LogLine[]
  children: (line: FoldedLine) => ReactNode
}

/** The end of a log, with a button above it that shows the rest. Tries that failed alike are one line. */
export function LatestLines({ lines, children }: LatestLinesProps) {
  const { t } = useTranslation('operations')
  const number = useNumberFormat()
  const [isWhole, setIsWhole] = useState(false)
  const folded = useMemo(() => foldTries(lines), [lines])
  const earlier = isWhole ? 0 : Math.max(0, folded.length - maxLines)
  return (
    <>
      {earlier > 0 && (
        <Button
          variant="subtle"
          size="compact-xs"
          mb="2xs"
          onClick={({ currentTarget }) => {
            // The button goes, and the focus must not go with it.
            currentTarget.closest<HTMLElement>('section')?.focus()
            setIsWhole(true)
          }}
        >
          {t('earlierLines', { count: earlier, n: number.format(earlier) })}
        </Button>
      )}
      {folded.slice(earlier).map(children)}
    </>
  )
}

interface LineTextProps {
  line: FoldedLine
  onLeave: (() => void) | undefined
}

export function LineText({ line: { reasons, text, tries, since, at }, onLeave }: LineTextProps) {
  const { t } = useTranslation('operations')
  const number = useNumberFormat()
  if (tries === 1) return <FailureText reasons={reasons} text={text} onLeave={onLeave} />
  return (
    <>
      {t('tries', { n: number.format(tries), from: formatRecentMinute(since), to: formatRecentMinute(at) })}{' '}
      <FailureText reasons={reasons.slice(0, -1)} text={text} onLeave={onLeave} />
    </>
  )
}

function foldTries(lines: readonly LogLine[]): readonly FoldedLine[] {
  const folded: FoldedLine[] = []
  for (const line of lines) {
    const last = folded.at(-1)
    const what = failedTry(line)
    if (last !== undefined && what !== null && failedTry(last) === what)
      folded[folded.length - 1] = { ...line, n: last.n, tries: last.tries + 1, since: last.since }
    else folded.push({ ...line, tries: 1, since: line.at })
  }
  return folded
}

/** Why a step failed that is tried again; null: the line says something else. */
function failedTry({ reasons }: LogLine): string | null {
  return reasons.at(-1)?.code === 'trying-again' ? JSON.stringify(reasons.slice(0, -1)) : null
}
