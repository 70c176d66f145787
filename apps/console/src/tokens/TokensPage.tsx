import { tokenStates } from '@roomkeeper/contract'
import { IconApi, IconPlus, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { loadStateOf } from '#api/queries.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState, NoMatch } from '#ui/EmptyState.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import { BackButton, Page } from '#ui/Page.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import { pagesOfSearch, rememberedPageSize } from '#ui/table/Pager.tsx'
import { TableFilter } from '#ui/table/TableFilter.tsx'
import { defaultPageSize, pageSizes } from '#ui/url-search.ts'
import { foundTokens, isNarrowed } from './found-tokens.ts'
import { tokensQuery } from './queries.ts'
import classes from './Tokens.module.css'
import { TokensTable } from './TokensTable.tsx'
import type { TokensSearch } from './tokens-search.ts'

const NewTokenDialog = onDemand(async () => ({ default: (await import('./NewTokenDialog.tsx')).NewTokenDialog }))

const tableId = 'tokens'

interface TokensPageProps {
  search: TokensSearch
  onSearch: (search: TokensSearch) => void
  onBack: () => void
}

/** The operator's API tokens; administrators see those of all operators. */
export function TokensPage({ search, onSearch, onBack }: TokensPageProps) {
  const { t } = useTranslation('tokens')
  const seesAll = useOperator().role === 'CLOUD_ADMINISTRATOR'
  const query = useQuery(tokensQuery)
  const size = search.size ?? rememberedPageSize(tableId, pageSizes, defaultPageSize)
  const found = query.data && foundTokens(query.data, search)
  const total = found?.length ?? 0
  const totals = { totalElements: total, totalPages: Math.ceil(total / size) }
  const page = Math.min(search.page ?? 1, Math.max(1, totals.totalPages))
  return (
    <Page
      title={t('title')}
      before={<BackButton onClick={onBack} />}
      actions={
        <>
          <ToolbarButton icon={IconRefresh} onClick={() => void query.refetch()}>
            {t('refresh')}
          </ToolbarButton>
          <ToolbarButton icon={IconPlus} variant="filled" onClick={() => openDialog(<NewTokenDialog />)}>
            {t('new')}
          </ToolbarButton>
        </>
      }
    >
      <p className={classes.hint}>{seesAll ? t('hintAll') : t('hint')}</p>
      <TokensFilter search={search} seesAll={seesAll} onSearch={onSearch} />
      <TokensTable
        tokens={found?.slice((page - 1) * size, page * size)}
        seesAll={seesAll}
        heldFor={search}
        load={loadStateOf(query, t('failed'))}
        empty={<Nothing isNarrowed={isNarrowed(search)} onReset={() => onSearch({ size: search.size })} />}
        pages={pagesOfSearch(found && totals, {
          table: tableId,
          search: { ...search, page },
          onSearch,
          size,
          sizes: pageSizes,
        })}
      />
    </Page>
  )
}

function Nothing({ isNarrowed: hasFilter, onReset }: { isNarrowed: boolean; onReset: () => void }) {
  const { t } = useTranslation('tokens')
  if (!hasFilter) return <EmptyState icon={IconApi} title={t('none')} text={t('noneText')} />
  return <NoMatch title={t('noMatch')} text={t('noMatchText')} reset={t('reset')} onReset={onReset} />
}

function TokensFilter({ search, seesAll, onSearch }: Omit<TokensPageProps, 'onBack'> & { seesAll: boolean }) {
  const { t } = useTranslation('tokens')
  const narrow = (change: TokensSearch) => onSearch({ ...search, ...change, page: undefined })
  return (
    <TableFilter
      text={{
        label: seesAll ? t('search') : t('searchOwn'),
        text: search.search,
        isOutdated: false,
        onText: (text) => narrow({ search: text }),
      }}
      choice={{
        label: t('columns.state'),
        width: 150,
        all: t('allStates'),
        values: tokenStates,
        labelOf: (state) => t(`states.${state}`),
        chosen: search.state,
        onChoose: (state) => narrow({ state }),
      }}
      isNarrowed={isNarrowed(search)}
      reset={t('reset')}
      onReset={() => narrow({ search: undefined, state: undefined })}
    />
  )
}
