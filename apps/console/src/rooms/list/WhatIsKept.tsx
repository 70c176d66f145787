import { Checkbox, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { keepDaysQuery } from '#api/queries.ts'
import { textOf } from '#api/text-of-error.ts'
import { formatDayIn } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import classes from './WhatIsKept.module.css'

/** For the question before a deletion: until when the room can come back, and whether it is to do without. */
export function WhatIsKept({ onChoose }: { onChoose: (withoutBackup: boolean) => void }) {
  const { t } = useTranslation('rooms')
  const { data: days, error } = useQuery(keepDaysQuery)
  const [isWithout, setIsWithout] = useState(false)
  if (error !== null) {
    return (
      <ProblemAlert kind="warning" mt="md" title={t('delete.keptUnknown')}>
        {textOf(error)}
      </ProblemAlert>
    )
  }
  return (
    <Stack gap="xs" mt="xs" className={classes.root ?? ''} aria-live="polite">
      <Text size="sm" c="dimmed">
        {days !== undefined && <Kept days={days} isWithout={isWithout} />}
      </Text>
      {days !== undefined && days > 0 && (
        <Checkbox
          label={t('delete.withoutBackup')}
          checked={isWithout}
          onChange={({ currentTarget: { checked } }) => {
            setIsWithout(checked)
            onChoose(checked)
          }}
        />
      )}
    </Stack>
  )
}

function Kept({ days: count, isWithout }: { days: number; isWithout: boolean }) {
  const { t } = useTranslation('rooms')
  if (count === 0) return t('delete.keepsNone')
  return isWithout ? t('delete.notKept') : t('delete.kept', { count, day: formatDayIn(count) })
}
