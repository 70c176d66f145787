import { Button, Loader } from '@mantine/core'
import { type Bulk, type BulkItem, bulkItemStates } from '@roomkeeper/contract'
import { IconDownload, IconRefresh, IconStack2 } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { loadStateOf } from '#api/queries.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { managesOperation, OperationLog } from '#operations/index.ts'
import { CsvFormMenu } from '#ui/CsvFormMenu.tsx'
import { textOfReasons } from '#ui/coded-text.ts'
import { chosenCsvForm } from '#ui/csv-form.ts'
import { downloadFrom } from '#ui/download-from.ts'
import { EmptyState, NoMatch } from '#ui/EmptyState.tsx'
import { BackButton, Page } from '#ui/Page.tsx'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import type { Column } from '#ui/table/column.ts'
import { pagesOfSearch, rememberedPageSize } from '#ui/table/Pager.tsx'
import { Table } from '#ui/table/Table.tsx'
import { TableFilter } from '#ui/table/TableFilter.tsx'
import { usePageKeys } from '#ui/table/use-page-keys.ts'
import { toastError } from '#ui/toast.ts'
import { defaultPageSize, pageSizes } from '#ui/url-search.ts'
import { BulkFacts } from './BulkFacts.tsx'
import { BulkProgress } from './BulkProgress.tsx'
import { BulkStatePill, stateShown } from './BulkState.tsx'
import { type BulkSearch, isNarrowed } from './bulk-search.ts'
import { CancelBulk, RetryBulk } from './ManageBulk.tsx'
import { bulkItemsQuery, bulkQuery } from './queries.ts'

const tableId = 'bulk-rooms'

interface BulkPageProps {
  id: string
  search: BulkSearch
  onSearch: (search: BulkSearch) => void
  onBack: () => void
}

/** One bulk: how far it is, and its rooms, those that failed first. */
export function BulkPage({ id, search, onSearch, onBack }: BulkPageProps) {
  const { t } = useTranslation(['bulks', 'app'])
  const bulk = useQuery(bulkQuery(id))
  useRefetchOnEvents(['bulks'], (event) => event.type === 'bulk' && event.id === id)
  const { data } = bulk
  return (
    <Page
      title={data === undefined ? t('title') : t(`actions.${data.action}.title`)}
      before={<BackButton onClick={onBack} />}
      beside={data !== undefined && <BulkStatePill state={stateShown(data)} />}
      actions={data !== undefined && <Actions bulk={data} search={search} onRefresh={() => void bulk.refetch()} />}
    >
      {bulk.error !== null && !isSessionEnd(bulk.error) && (
        <ProblemAlert title={t('failed')}>{textOf(bulk.error)}</ProblemAlert>
      )}
      {bulk.isPending && <Loader size={20} role="status" aria-label={t('app:loading')} />}
      {data !== undefined && (
        <>
          <BulkProgress bulk={data} />
          <BulkFacts bulk={data} />
          <Items bulk={data} search={search} onSearch={onSearch} />
        </>
      )}
    </Page>
  )
}

function Actions({ bulk, search, onRefresh }: { bulk: Bulk; search: BulkSearch; onRefresh: () => void }) {
  const { t } = useTranslation('bulks')
  const download = useMutation({
    mutationFn: () =>
      client.call('createBulkItemsTicket', {
        body: { id: bulk.id, state: search.state ?? '', search: search.search ?? '', csv: chosenCsvForm() },
      }),
    onSuccess: ({ body }) => downloadFrom(body.url),
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('downloadFailed'), textOf(error))
    },
  })
  return (
    <>
      <ToolbarButton icon={IconRefresh} onClick={onRefresh}>
        {t('refresh')}
      </ToolbarButton>
      <ToolbarButton icon={IconDownload} loading={download.isPending} onClick={() => download.mutate()}>
        {t('download')}
      </ToolbarButton>
      <CsvFormMenu onExport={() => download.mutate()} />
      <CancelBulk bulk={bulk} />
      <RetryBulk bulk={bulk} />
    </>
  )
}

interface ItemsProps {
  bulk: Bulk
  search: BulkSearch
  onSearch: (search: BulkSearch) => void
}

function Items({ bulk, search, onSearch }: ItemsProps) {
  const { t } = useTranslation('bulks')
  const { role } = useOperator()
  // No action of a bulk creates a room, and of others sales see no log.
  const hasLogs = managesOperation(role, null)
  const size = search.size ?? rememberedPageSize(tableId, pageSizes, defaultPageSize)
  const query = useQuery(bulkItemsQuery(bulk.id, { ...search, size }))
  const narrow = (change: BulkSearch) => onSearch({ ...search, ...change, page: undefined })
  const reset = () => onSearch({ size: search.size })
  const pages = pagesOfSearch(query.data, { table: tableId, search, onSearch, size, sizes: pageSizes })
  usePageKeys({ pages })
  const columns: Column<BulkItem>[] = [
    {
      id: 'name',
      title: t('columns.room'),
      isName: true,
      size: { share: 1, atLeast: 160 },
      cell: ({ projectRoomName }) => (
        <Link to="/project/administration" search={{ q: projectRoomName }}>
          {projectRoomName}
        </Link>
      ),
    },
    {
      id: 'state',
      title: t('columns.state'),
      text: 'whole',
      size: 150,
      cell: ({ state }) => <BulkStatePill state={state} />,
    },
    {
      id: 'reason',
      title: t('columns.reason'),
      text: 'wrapped',
      size: { share: 3, atLeast: 240 },
      cell: ({ reasons, reason, operationId }, details) => (
        <>
          {textOfReasons(reasons, reason)}
          {operationId !== null && hasLogs && (
            <Button size="compact-xs" variant="subtle" aria-expanded={details.isOpen} onClick={details.toggle}>
              {details.isOpen ? t('hideLog') : t('log')}
            </Button>
          )}
        </>
      ),
    },
  ]
  return (
    <>
      <TableFilter
        text={{
          label: t('search'),
          text: search.search,
          isOutdated: query.isPlaceholderData,
          onText: (text) => narrow({ search: text }),
        }}
        choice={{
          label: t('columns.state'),
          width: 170,
          all: t('allStates'),
          values: bulkItemStates,
          labelOf: (state) => t(`states.${state}`),
          chosen: search.state,
          onChoose: (state) => narrow({ state }),
        }}
        isNarrowed={isNarrowed(search)}
        reset={t('reset')}
        onReset={reset}
      />
      <Table
        label={t('rooms')}
        layout="page"
        remembered="bulk-rooms"
        hasFocusableRows
        columns={columns}
        rows={query.data?.data}
        rowId={({ projectRoomName }) => projectRoomName}
        heldFor={search}
        expectedRows={8}
        load={loadStateOf(query, t('failed'))}
        empty={
          isNarrowed(search) ? (
            <NoMatch title={t('noMatch')} text={t('noMatchText')} reset={t('reset')} onReset={reset} />
          ) : (
            <EmptyState icon={IconStack2} title={t('noRooms')} text={t('noRoomsText')} />
          )
        }
        details={({ operationId }) => operationId !== null && <OperationLog operationId={operationId} />}
        pages={pages}
      />
    </>
  )
}
