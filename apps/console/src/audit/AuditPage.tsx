import { Button } from '@mantine/core'
import type { AuditQuery } from '@roomkeeper/contract'
import { IconDownload, IconHistory, IconRefresh, IconSearchOff } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { loadStateOf } from '#api/load-state.ts'
import { isSessionEnd } from '#api/text-of-error.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { BackButton, Page } from '#ui/Page.tsx'
import { saveAs } from '#ui/save-as.ts'
import { rememberedPageSize, rememberPageSize } from '#ui/table/Pager.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { AuditFilter } from './AuditFilter.tsx'
import { AuditTable } from './AuditTable.tsx'
import {
  type AuditSearch,
  auditExportQueryOf,
  auditQueryOf,
  defaultPageSize,
  isNarrowed,
  pageSizes,
} from './audit-search.ts'

const tableId = 'audit'
interface AuditPageProps {
  search: AuditSearch
  onSearch: (search: AuditSearch) => void
  onBack: () => void
}

/** Who did what, when, and with which room; for administrators. */
export function AuditPage({ search, onSearch, onBack }: AuditPageProps) {
  const { t } = useTranslation('audit')
  const size = search.size ?? rememberedPageSize(tableId, pageSizes, defaultPageSize)
  const query = useQuery(auditQuery(auditQueryOf(search, size)))
  const { data, refetch } = query
  const resize = (chosen: number) => {
    rememberPageSize(tableId, chosen)
    onSearch({ ...search, size: chosen, page: undefined })
  }
  const reset = () => onSearch({ size: search.size })
  return (
    <Page
      title={t('trail.title')}
      before={<BackButton onClick={onBack} />}
      actions={<Actions search={search} onRefresh={() => void refetch()} />}
    >
      <AuditFilter
        search={search}
        onNarrow={(change) => onSearch({ ...search, ...change, page: undefined })}
        onReset={reset}
      />
      <AuditTable
        entries={data?.data}
        load={loadStateOf(query, t('trail.failed'))}
        empty={<Nothing isNarrowed={isNarrowed(search)} onReset={reset} />}
        pages={
          data && {
            page: search.page ?? 1,
            size,
            sizes: pageSizes,
            totalElements: data.totalElements,
            totalPages: data.totalPages,
            onPage: (page) => onSearch({ ...search, page }),
            onSize: resize,
          }
        }
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
    <EmptyState
      icon={IconSearchOff}
      title={t('trail.noMatch')}
      text={t('trail.noMatchText')}
      action={
        <Button variant="default" onClick={onReset}>
          {t('filter.reset')}
        </Button>
      }
    />
  )
}

function Actions({ search, onRefresh }: { search: AuditSearch; onRefresh: () => void }) {
  const { t } = useTranslation('audit')
  const download = useMutation({
    mutationFn: async () => {
      const answer = await client.open('exportAudit', { query: auditExportQueryOf(search) })
      saveAs(await answer.blob(), `audit_${new Date().toISOString()}.csv`)
    },
    onSuccess: () => toastSuccess(t('export.title'), t('export.done')),
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('export.title'), t('export.failed'))
    },
  })
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={16} stroke={1.8} aria-hidden />}
        onClick={onRefresh}
      >
        {t('refresh')}
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={download.isPending}
        leftSection={<IconDownload size={16} stroke={1.8} aria-hidden />}
        onClick={() => download.mutate()}
      >
        {t('export.title')}
      </Button>
    </>
  )
}
