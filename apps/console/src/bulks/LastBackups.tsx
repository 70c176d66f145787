/** For the deletion of many rooms: whether a last backup of each is taken, and how long that is kept. */
import { Checkbox, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { keepDaysQuery } from '#api/queries.ts'
import { formatDayIn } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'

interface WhatIsKeptProps {
  isWithout: boolean
  onChoose: (isWithout: boolean) => void
}

/** Where no backups are taken in any case, there is nothing to choose. */
export function WhatIsKept({ isWithout, onChoose }: WhatIsKeptProps) {
  const { t } = useTranslation('bulks')
  const { data: count } = useQuery(keepDaysQuery)
  return (
    <>
      {isWithout && count !== 0 ? (
        <ProblemAlert kind="warning">{t('fields.withoutBackupHint')}</ProblemAlert>
      ) : (
        count !== undefined && (
          <Text size="sm" c="dimmed">
            {count === 0 ? t('actions.delete.keepsNone') : t('actions.delete.kept', { count, day: formatDayIn(count) })}
          </Text>
        )
      )}
      {count !== 0 && (
        <Checkbox
          label={t('fields.withoutBackup')}
          checked={isWithout}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      )}
    </>
  )
}
