import { NativeSelect } from '@mantine/core'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchField } from '#ui/table/SearchField.tsx'
import toolbar from '../list/RoomsToolbar.module.css'
import { scopes } from '../list/search.ts'
import type { StatisticsSearch } from './search.ts'

interface StatisticsSearchBarProps {
  search: StatisticsSearch
  /** Where `/` goes. */
  searchRef: RefObject<HTMLInputElement | null>
  onFind: (change: Pick<StatisticsSearch, 'q' | 'in'>) => void
}

/** What is searched for in all columns, and where. */
export function StatisticsSearchBar({ search, searchRef, onFind }: StatisticsSearchBarProps) {
  const { t } = useTranslation('rooms')
  return (
    <search className={toolbar.root}>
      <SearchField
        inputRef={searchRef}
        label={t('search.label')}
        clearLabel={t('search.clear')}
        text={search.q ?? ''}
        onText={(q) => onFind({ q: q === '' ? undefined : q })}
      />
      <NativeSelect
        size="xs"
        className={toolbar.scope ?? ''}
        aria-label={t('search.in')}
        value={search.in ?? 'all'}
        data={scopes.map((scope) => ({ value: scope, label: t(`search.scopes.${scope}`) }))}
        onChange={({ currentTarget: { value } }) => onFind({ in: scopes.find((each) => each === value) })}
      />
    </search>
  )
}
