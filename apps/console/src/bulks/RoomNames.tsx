import { Box } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNumberFormat } from '#ui/format.ts'

const shownAtFirst = 8

/** Which rooms are selected: the first of them, and on demand all. */
export function RoomNames({ names }: { names: readonly string[] }) {
  const { t } = useTranslation('bulks')
  const number = useNumberFormat()
  const [areAllShown, setAreAllShown] = useState(false)
  const count = names.length - shownAtFirst
  return (
    <Box className="rk-text" mah={160} style={{ overflowY: 'auto' }}>
      {(areAllShown ? names : names.slice(0, shownAtFirst)).join(', ')}{' '}
      {count > 0 && (
        <button
          type="button"
          className="rk-link"
          aria-expanded={areAllShown}
          onClick={() => setAreAllShown(!areAllShown)}
        >
          {areAllShown ? t('fewerNames') : t('moreNames', { count, n: number.format(count) })}
        </button>
      )}
    </Box>
  )
}
