import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNumberFormat } from '#ui/format.ts'

/** As many as are drawn without a wait that is noticed; a region's job may write many thousands. */
const maxLines = 500

interface LatestLinesProps<Line> {
  lines: readonly Line[]
  children: (line: Line) => ReactNode
}

/** The end of a log, with a button above it that shows the rest. */
export function LatestLines<Line>({ lines, children }: LatestLinesProps<Line>) {
  const { t } = useTranslation('operations')
  const number = useNumberFormat()
  const [isWhole, setIsWhole] = useState(false)
  const earlier = isWhole ? 0 : Math.max(0, lines.length - maxLines)
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
      {lines.slice(earlier).map(children)}
    </>
  )
}
