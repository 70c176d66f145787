import { NativeSelect, SegmentedControl } from '@mantine/core'
import { findingSeverities } from '@roomkeeper/contract'
import { IconFilterOff } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Toolbar, ToolbarButton } from '#ui/Toolbar.tsx'
import { SearchField } from '#ui/table/SearchField.tsx'
import { type ConsistencySearch, isNarrowed } from './consistency-search.ts'

interface FindingsFilterProps {
  search: ConsistencySearch
  /** Always back to the first page. */
  onNarrow: (change: ConsistencySearch) => void
  onReset: () => void
}

export function FindingsFilter({ search, onNarrow, onReset }: FindingsFilterProps) {
  const { t } = useTranslation('consistency')
  const input = useRef<HTMLInputElement>(null)
  return (
    <search>
      <Toolbar>
        <SearchField
          inputRef={input}
          label={t('search')}
          clearLabel={t('reset')}
          text={search.search ?? ''}
          onText={(typed) => onNarrow({ search: typed === '' ? undefined : typed })}
        />
        <NativeSelect
          size="xs"
          w={150}
          aria-label={t('severity')}
          value={search.severity ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onNarrow({ severity: findingSeverities.find((each) => each === value) })
          }
        >
          <option value="">{t('allSeverities')}</option>
          {findingSeverities.map((each) => (
            <option key={each} value={each}>
              {t(`severities.${each}`)}
            </option>
          ))}
        </NativeSelect>
        <SegmentedControl
          size="xs"
          aria-label={t('show')}
          value={search.closed === true ? 'closed' : 'open'}
          onChange={(value) => onNarrow({ closed: value === 'closed' ? true : undefined })}
          data={[
            { value: 'open', label: t('open') },
            { value: 'closed', label: t('closed') },
          ]}
        />
        {isNarrowed(search) && (
          <ToolbarButton icon={IconFilterOff} variant="subtle" onClick={onReset}>
            {t('reset')}
          </ToolbarButton>
        )}
      </Toolbar>
    </search>
  )
}
