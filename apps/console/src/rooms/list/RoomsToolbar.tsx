import { Checkbox, NativeSelect } from '@mantine/core'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchField } from '#ui/table/SearchField.tsx'
import classes from './RoomsToolbar.module.css'
import { type RoomsSearch, scopes } from './search.ts'

interface RoomsToolbarProps {
  search: RoomsSearch
  /** Where `/` goes. */
  searchRef: RefObject<HTMLInputElement | null>
  /** Always back to the first page. */
  onNarrow: (change: Pick<RoomsSearch, 'q' | 'in' | 'hideFailed'>) => void
}

/** What is searched for, where, and whether failed rooms are shown. */
export function RoomsToolbar({ search, searchRef, onNarrow }: RoomsToolbarProps) {
  const { t } = useTranslation(['rooms', 'app'])
  return (
    <search className={classes.root}>
      <SearchField
        inputRef={searchRef}
        label={t('search.label')}
        clearLabel={t('search.clear')}
        text={search.q ?? ''}
        onText={(q) => onNarrow({ q: q === '' ? undefined : q })}
      />
      <NativeSelect
        size="xs"
        className={classes.scope ?? ''}
        aria-label={t('search.in')}
        value={search.in ?? 'all'}
        data={scopes.map((scope) => ({ value: scope, label: t(`search.scopes.${scope}`) }))}
        onChange={({ currentTarget: { value } }) => onNarrow({ in: scopes.find((each) => each === value) })}
      />
      <Checkbox
        size="xs"
        label={t('hideFailed')}
        checked={search.hideFailed === true}
        onChange={(event) => onNarrow({ hideFailed: event.currentTarget.checked || undefined })}
      />
    </search>
  )
}
