import type { AuditQuery } from '@roomkeeper/contract'
import { IconDownload, IconHistory, IconRefresh } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { loadStateOf } from '#api/queries.ts'
import { isSessionEnd } from '#api/text-of-error.ts'
import { CsvFormMenu } from '#ui/CsvFormMenu.tsx'
import { chosenCsvForm } from '#ui/csv-form.ts'
import { downloadFrom } from '#ui/download-from.ts'
import { EmptyState, NoMatch } from '#ui/EmptyState.tsx'
import { BackButton, Page } from '#ui/Page.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import { pagesOfSearch, rememberedPageSize } from '#ui/table/Pager.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { defaultPageSize, pageSizes } from '#ui/url-search.ts'
import { AuditFilter } from './AuditFilter.tsx'
import { AuditTable } from './AuditTable.tsx'
import { type AuditSearch, auditExportQueryOf, auditQueryOf, isNarrowed } from './audit-search.ts'

const tableId = 'audit'
interface AuditPageProps {
  search: AuditSearch
  onSearch: (search: AuditSearch) => void
  onBack: () => void
}

/** The audit trail: who did what, when, and with which room. For administrators. */
export function AuditPage({ search, onSearch, onBack }: AuditPageProps) {
  const { t } = useTranslation('audit')
  const size = search.size ?? rememberedPageSize(tableId, pageSizes, defaultPageSize)
  const query = useQuery(auditQuery(auditQueryOf(search, size)))
  const { data, refetch } = query
  const reset = () => onSearch({ size: search.size })
  return (
    <Page
      title={t('trail.title')}
      before={<BackButton onClick={onBack} />}
      actions={<Actions search={search} onRefresh={() => void refetch()} />}
    >
      <AuditFilter
        search={search}
        isOutdated={query.isPlaceholderData}
        onNarrow={(change) => onSearch({ ...search, ...change, page: undefined })}
        onReset={reset}
      />
      <AuditTable
        entries={data?.data}
        load={loadStateOf(query, t('trail.failed'))}
        empty={<Nothing isNarrowed={isNarrowed(search)} onReset={reset} />}
        pages={pagesOfSearch(data, { table: tableId, search, onSearch, size, sizes: pageSizes })}
      />
    </Page>
  )
}

/** A page of the whole trail, newest first. */
function auditQuery(query: AuditQuery) {
  return queryOptions({
    queryKey: ['audit', query],
    queryFn: async ({ signal }) => (await client.call('audit', { query, signal })).body,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

function Nothing({ isNarrowed: hasFilter, onReset }: { isNarrowed: boolean; onReset: () => void }) {
  const { t } = useTranslation('audit')
  if (!hasFilter) return <EmptyState icon={IconHistory} title={t('none')} text={t('trail.hint')} />
  return (
    <NoMatch title={t('trail.noMatch')} text={t('trail.noMatchText')} reset={t('filter.reset')} onReset={onReset} />
  )
}

function Actions({ search, onRefresh }: { search: AuditSearch; onRefresh: () => void }) {
  const { t } = useTranslation('audit')
  const download = useMutation({
    mutationFn: async () => {
      const body = { query: auditExportQueryOf(search), csv: chosenCsvForm() }
      downloadFrom((await client.call('createAuditTicket', { body })).body.url)
    },
    onSuccess: () => toastSuccess(t('export.title'), t('export.done')),
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('export.title'), t('export.failed'))
    },
  })
  return (
    <>
      <ToolbarButton icon={IconRefresh} onClick={onRefresh}>
        {t('refresh')}
      </ToolbarButton>
      <ToolbarButton icon={IconDownload} loading={download.isPending} onClick={() => download.mutate()}>
        {t('export.title')}
      </ToolbarButton>
      <CsvFormMenu onExport={() => download.mutate()} />
    </>
  )
}
