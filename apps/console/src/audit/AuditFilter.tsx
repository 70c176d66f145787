import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DayInput } from '#ui/DayInput.tsx'
import { parseDay } from '#ui/day.ts'
import { SearchField } from '#ui/table/SearchField.tsx'
import type { PagedSearch } from '#ui/use-paged-search.ts'
import { type AuditSearch, shownDay } from './audit-search.ts'
import { useAuditActions } from './entry-names.ts'

interface AuditFilterProps {
  list: PagedSearch<AuditSearch>
  /** The entries are still those of a former search. */
  isOutdated: boolean
}

/** Filters by actor, action, room and time. */
export function AuditFilter({ list, isOutdated }: AuditFilterProps) {
  const { t } = useTranslation('audit')
  const { groups } = useAuditActions()
  const { search } = list
  const { action = '' } = search
  const known = groups.flatMap(({ prefix, actions }) => [prefix, ...actions.map((each) => each.action)])
  return (
    <>
      <SearchField
        label={t('filter.actor')}
        clearLabel={t('filter.clear', { label: t('filter.actor') })}
        text={search.actor}
        isOutdated={isOutdated}
        onText={(actor) => list.change({ actor })}
      />
      <NativeSelect
        size="xs"
        w={220}
        aria-label={t('filter.action')}
        value={action}
        onChange={({ currentTarget: { value } }) => list.change({ action: value === '' ? undefined : value })}
      >
        <option value="">{t('filter.allActions')}</option>
        {action !== '' && !known.includes(action) && <option value={action}>{action}</option>}
        {groups.map(({ prefix, label, actions }) => (
          <optgroup key={prefix} label={label}>
            <option value={prefix}>{t('filter.wholeGroup', { group: label })}</option>
            {actions.map((each) => (
              <option key={each.action} value={each.action}>
                {each.label}
              </option>
            ))}
          </optgroup>
        ))}
      </NativeSelect>
      <SearchField
        label={t('filter.room')}
        clearLabel={t('filter.clear', { label: t('filter.room') })}
        text={search.room}
        isOutdated={isOutdated}
        onText={(room) => list.change({ room })}
      />
      <FilterDay which="from" day={search.from} onDay={(from) => list.change({ from })} />
      <FilterDay which="to" day={search.to} onDay={(to) => list.change({ to })} />
    </>
  )
}

interface FilterDayProps {
  which: 'from' | 'to'
  day: string | undefined
  onDay: (day: string | undefined) => void
}

/** Reports complete days only; an incomplete day shows the expected format. */
function FilterDay({ which, day, onDay }: FilterDayProps) {
  const { t } = useTranslation('audit')
  const [typed, setTyped] = useState(shownDay(day))
  const [shown, setShown] = useState(day)
  // The day was changed elsewhere: by Back or Reset filter.
  if (day !== shown) {
    setShown(day)
    if ((parseDay(typed) ?? undefined) !== day) setTyped(shownDay(day))
  }
  const type = (text: string) => {
    setTyped(text)
    const parsed = parseDay(text)
    if (parsed !== null || text.trim() === '') onDay(parsed ?? undefined)
  }
  return (
    <DayInput
      size="xs"
      w={150}
      aria-label={t(`filter.${which}`)}
      placeholder={t(`filter.${which}`)}
      value={typed}
      onChange={type}
      error={typed.trim() !== '' && parseDay(typed) === null}
      earliest="2020-01-01"
      openLabel={t(`filter.${which}Open`)}
      calendarLabel={t(`filter.${which}`)}
    />
  )
}
