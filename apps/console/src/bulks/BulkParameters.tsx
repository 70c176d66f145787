/** What an action needs besides the rooms. */
import type { BulkAction } from '@roomkeeper/contract'
import { dayInUtc } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { textOf } from '#api/text-of-error.ts'
import { DayInput } from '#ui/DayInput.tsx'
import { CheckField, TextAreaField, TextField } from '#ui/form/Fields.tsx'
import { useField } from '#ui/form/resource-form.ts'
import { SelectField } from '#ui/form/SelectField.tsx'

export function BulkParameters({ action }: { action: BulkAction }) {
  const { t } = useTranslation('bulks')
  switch (action) {
    case 'suspend':
    case 'resume':
      return <CheckField name="userNotification" label={t('fields.userNotification')} />
    case 'move':
      return (
        <>
          <TargetField />
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
          <DayField />
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
    default:
      return null
  }
}

function TargetField() {
  const { t } = useTranslation('bulks')
  const { data: regions = [], error } = useQuery(regionsQuery)
  return (
    <SelectField
      name="targetRegion"
      label={t('fields.targetRegion')}
      withAsterisk
      searchable
      placeholder={t('fields.pleaseSelect')}
      nothingFoundMessage={t('fields.noRegion')}
      data={regions
        .filter(({ state }) => state === 'enabled')
        .map(({ regionId, regionName }) => ({ value: String(regionId), label: regionName }))}
      {...(error === null ? {} : { error: textOf(error) })}
    />
  )
}

function DayField() {
  const { t } = useTranslation('bulks')
  const { value, set, input } = useField<string>('expirationDate')
  return (
    <DayInput
      {...input}
      label={t('fields.expirationDate')}
      placeholder={t('fields.dayPlaceholder')}
      withAsterisk
      value={value}
      onChange={set}
      earliest={dayInUtc(new Date())}
      calendarLabel={t('fields.calendar')}
      openLabel={t('fields.openCalendar')}
    />
  )
}
