import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchField } from '#ui/table/SearchField.tsx'
import classes from './RoomsToolbar.module.css'
import { scopes, type TableSearch } from './search.ts'

type Sought = Pick<TableSearch, 'q' | 'in'>

interface ScopedSearchProps {
  search: Sought
  /** The rows are still those of a former search. */
  isOutdated: boolean
  onFind: (change: Sought) => void
  /** What else narrows the list. */
  children?: ReactNode
}

/** The search text and the searched field. */
export function ScopedSearch({ search, isOutdated, onFind, children }: ScopedSearchProps) {
  const { t } = useTranslation('rooms')
  return (
    <search className={classes.root}>
      <SearchField
        label={t('search.label')}
        clearLabel={t('search.clear')}
        text={search.q}
        isOutdated={isOutdated}
        onText={(q) => onFind({ q })}
      />
      <NativeSelect
        size="xs"
        w={148}
        mr="xs"
        aria-label={t('search.in')}
        value={search.in ?? 'all'}
        data={scopes.map((scope) => ({ value: scope, label: t(`search.scopes.${scope}`) }))}
        onChange={({ currentTarget: { value } }) => onFind({ in: scopes.find((each) => each === value) })}
      />
      {children}
    </search>
  )
}
