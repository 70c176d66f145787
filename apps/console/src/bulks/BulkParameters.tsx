/** What an action needs besides the rooms. */
import { Checkbox, Text } from '@mantine/core'
import { dayInUtc } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { keepDaysQuery } from '#api/queries.ts'
import { LabelsField } from '#labels/index.ts'
import { RegionSelect } from '#regions/index.ts'
import { DayField } from '#ui/form/DayField.tsx'
import { CheckField, TextAreaField, TextField } from '#ui/form/Fields.tsx'
import { formatDayIn } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import type { BulkWanted } from './bulk-form.ts'

/** @param props.from the region that all rooms are in */
export function BulkParameters({ action, from }: Pick<BulkWanted, 'action' | 'from'>) {
  const { t } = useTranslation('bulks')
  switch (action) {
    case 'suspend':
    case 'resume':
      return <CheckField name="userNotification" label={t('fields.userNotification')} />
    case 'retry':
      return (
        <CheckField
          name="whenRegionIsBack"
          label={t('fields.whenRegionIsBack')}
          description={t('fields.whenRegionIsBackHint')}
        />
      )
    case 'move':
      return (
        <>
          <RegionSelect
            name="targetRegion"
            label={t('fields.targetRegion')}
            withAsterisk
            offers={({ state, regionId }) => state === 'enabled' && regionId !== from}
          />
          <CheckField
            name="skipActiveSessions"
            label={t('fields.skipActiveSessions')}
            description={t('fields.skipActiveSessionsHint')}
          />
        </>
      )
    case 'extend':
      return (
        <>
          <DayField
            name="expirationDate"
            label={t('fields.expirationDate')}
            placeholder={t('fields.dayPlaceholder')}
            withAsterisk
            earliest={dayInUtc(new Date())}
            calendarLabel={t('fields.calendar')}
          />
          <CheckField name="unlimitedToo" label={t('fields.unlimitedToo')} />
        </>
      )
    case 'notify':
      return (
        <>
          <TextField name="subject" label={t('fields.subject')} description={t('fields.subjectHint')} maxLength={200} />
          <TextAreaField
            name="text"
            label={t('fields.text')}
            withAsterisk
            minRows={4}
            maxRows={12}
            maxLength={10_000}
          />
        </>
      )
    case 'label':
      return (
        <>
          <LabelsField name="add" label={t('fields.add')} />
          <LabelsField name="remove" label={t('fields.remove')} />
        </>
      )
    default:
      return null
  }
}

interface DeletionBackupOptionProps {
  isWithout: boolean
  onChoose: (isWithout: boolean) => void
}

/** Whether a last backup of each room is taken, and how long it is kept. Where none is taken in any case, there is no choice. */
export function DeletionBackupOption({ isWithout, onChoose }: DeletionBackupOptionProps) {
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
