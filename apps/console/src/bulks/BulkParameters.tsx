/** What an action needs besides the rooms. */
import { Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import type { BulkAction } from '@roomkeeper/contract'
import { dayInUtc } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { textOf } from '#api/text-of-error.ts'
import { DayInput } from '#ui/DayInput.tsx'
import type { Entries } from './bulk-request.ts'

interface BulkParametersProps {
  action: BulkAction
  entries: Entries
  onChange: (change: Partial<Entries>) => void
}

export function BulkParameters({ action, entries, onChange }: BulkParametersProps) {
  const { t } = useTranslation('bulks')
  switch (action) {
    case 'suspend':
    case 'resume':
      return (
        <Checkbox
          label={t('fields.userNotification')}
          checked={entries.userNotification}
          onChange={(event) => onChange({ userNotification: event.currentTarget.checked })}
        />
      )
    case 'move':
      return (
        <>
          <TargetSelect value={entries.targetRegion} onChange={(targetRegion) => onChange({ targetRegion })} />
          <Checkbox
            label={t('fields.skipActiveSessions')}
            description={t('fields.skipActiveSessionsHint')}
            checked={entries.skipActiveSessions}
            onChange={(event) => onChange({ skipActiveSessions: event.currentTarget.checked })}
          />
        </>
      )
    case 'extend':
      return (
        <>
          <DayInput
            label={t('fields.expirationDate')}
            placeholder={t('fields.dayPlaceholder')}
            withAsterisk
            value={entries.day}
            onChange={(day) => onChange({ day })}
            earliest={dayInUtc(new Date())}
            calendarLabel={t('fields.calendar')}
            openLabel={t('fields.openCalendar')}
          />
          <Checkbox
            label={t('fields.unlimitedToo')}
            checked={entries.unlimitedToo}
            onChange={(event) => onChange({ unlimitedToo: event.currentTarget.checked })}
          />
        </>
      )
    case 'notify':
      return (
        <>
          <TextInput
            label={t('fields.subject')}
            description={t('fields.subjectHint')}
            maxLength={200}
            value={entries.subject}
            onChange={(event) => onChange({ subject: event.currentTarget.value })}
          />
          <Textarea
            label={t('fields.text')}
            withAsterisk
            autosize
            minRows={4}
            maxRows={12}
            maxLength={10_000}
            value={entries.text}
            onChange={(event) => onChange({ text: event.currentTarget.value })}
          />
        </>
      )
    default:
      return null
  }
}

function TargetSelect({ value, onChange }: { value: number | null; onChange: (id: number) => void }) {
  const { t } = useTranslation('bulks')
  const { data: regions = [], error } = useQuery(regionsQuery)
  return (
    <Select
      label={t('fields.targetRegion')}
      withAsterisk
      searchable
      allowDeselect={false}
      comboboxProps={{ keepMounted: false }}
      placeholder={t('fields.pleaseSelect')}
      nothingFoundMessage={t('fields.noRegion')}
      data={regions
        .filter(({ state }) => state === 'enabled')
        .map(({ regionId, regionName }) => ({ value: String(regionId), label: regionName }))}
      value={value === null ? null : String(value)}
      onChange={(id) => id !== null && onChange(Number(id))}
      {...(error === null ? {} : { error: textOf(error) })}
    />
  )
}
