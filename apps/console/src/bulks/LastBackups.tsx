/** For the deletion of many rooms: whether a last backup of each is taken, and how long that is kept. */
import { Checkbox, type CheckboxProps, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { keepDaysQuery } from '#api/queries.ts'
import { formatDayIn } from '#ui/format.ts'

export function WhatIsKept() {
  const { t } = useTranslation('bulks')
  const { data: count } = useQuery(keepDaysQuery)
  if (count === undefined) return null
  return (
    <Text size="sm" c="dimmed">
      {count === 0 ? t('actions.delete.keepsNone') : t('actions.delete.kept', { count, day: formatDayIn(count) })}
    </Text>
  )
}

/** Where no backups are taken in any case, there is nothing to choose. */
export function WithoutBackup(props: Pick<CheckboxProps, 'checked' | 'onChange'>) {
  const { t } = useTranslation('bulks')
  const { data: days } = useQuery(keepDaysQuery)
  if (days === 0) return null
  return <Checkbox label={t('fields.withoutBackup')} description={t('fields.withoutBackupHint')} {...props} />
}
