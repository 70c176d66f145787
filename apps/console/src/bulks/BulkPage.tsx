import { Loader, Text } from '@mantine/core'
import { type Bulk, type BulkItem, type BulkParameters, bulkItemStates, bulkParameters } from '@roomkeeper/contract'
import { IconDownload, IconStack2 } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { loadStateOf, regionsQuery } from '#api/queries.ts'
import { isSessionEnd, textOf, textOfReasons } from '#locales/error-texts.ts'
import { managesOperation, OperationLog, WaitingOperation } from '#operations/index.ts'
import { CsvFormatMenu } from '#ui/CsvFormatMenu.tsx'
import { chosenCsvFormat } from '#ui/csv-format.ts'
import { DisclosureButton } from '#ui/DisclosureButton.tsx'
import { formatDay } from '#ui/day.ts'
import { downloadFrom } from '#ui/download-from.ts'
import { formatMoment } from '#ui/format.ts'
import { ListPage, PagedTable } from '#ui/ListPage.tsx'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import type { Column } from '#ui/table/column.ts'
import { usePagedSearch } from '#ui/use-paged-search.ts'
import { BulkProgress, useTitleOfBulk } from './BulkProgress.tsx'
import { BulkStatePill, stateShown } from './BulkState.tsx'
import classes from './Bulks.module.css'
import { CancelBulk, RetryBulk } from './ManageBulk.tsx'
import { bulkItemsQuery, useBulk } from './queries.ts'

const route = getRouteApi('/project/_signed-in/bulk/$id')

/** One bulk: how far it is, and its rooms, those that failed first. */
export function BulkPage() {
  const { id } = route.useParams()
  const navigate = route.useNavigate()
  const { t } = useTranslation(['bulks', 'app'])
  const titleOf = useTitleOfBulk()
  const bulk = useBulk(id)
  const { data } = bulk
  return (
    <ListPage
      key={id}
      title={data === undefined ? t('title') : titleOf(data)}
      onBack={() => void navigate({ to: '/project/bulk' })}
      beside={data !== undefined && <BulkStatePill state={stateShown(data)} />}
      onRefresh={data && bulk.refetch}
      actions={data && <Actions bulk={data} />}
    >
      {bulk.error !== null && !isSessionEnd(bulk.error) && (
        <ProblemAlert title={t('failed')}>{textOf(bulk.error)}</ProblemAlert>
      )}
      {bulk.isPending && <Loader size={20} role="status" aria-label={t('app:loading')} />}
      {data !== undefined && (
        <>
          <BulkProgress bulk={data} />
          <BulkFacts bulk={data} />
          <Items bulk={data} />
        </>
      )}
    </ListPage>
  )
}

function Actions({ bulk }: { bulk: Bulk }) {
  const { t } = useTranslation('bulks')
  const { search = '', state = '' } = route.useSearch()
  const download = useMutation({
    mutationFn: () =>
      client.call('createBulkItemsTicket', {
        body: { id: bulk.id, state, search, csv: chosenCsvFormat() },
      }),
    onSuccess: ({ body }) => downloadFrom(body.url),
    meta: { failed: t('downloadFailed') },
  })
  return (
    <>
      <ToolbarButton icon={IconDownload} loading={download.isPending} onClick={() => download.mutate()}>
        {t('download')}
      </ToolbarButton>
      <CsvFormatMenu onExport={() => download.mutate()} />
      <CancelBulk bulk={bulk} />
      <RetryBulk bulk={bulk} />
    </>
  )
}

function Items({ bulk }: { bulk: Bulk }) {
  const { t } = useTranslation(['bulks', 'operations'])
  const { role } = useOperator()
  // Of sales, which see logs of creations only: a retry may go on with one, but its kind is not known here.
  const hasLogs = managesOperation(role, null)
  const list = usePagedSearch(route.id, { name: 'bulk-rooms', filters: ['search', 'state'] })
  const query = useQuery(bulkItemsQuery(bulk.id, { ...list.search, ...list.wanted }))
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
      cell: ({ state, reasons, reason, operationId }, details) => (
        <>
          {textOfReasons(reasons, reason)}{' '}
          {state === 'RUNNING' && operationId !== null && <WaitingOperation operationId={operationId} />}
          {operationId !== null && hasLogs && (
            <DisclosureButton isInText isOpen={details.isOpen} toggle={details.toggle}>
              {details.isOpen ? t('operations:hideLog') : t('log')}
            </DisclosureButton>
          )}
        </>
      ),
    },
  ]
  return (
    <PagedTable
      label={t('rooms')}
      list={list}
      found={query.data}
      columns={columns}
      rowId={({ projectRoomName }) => projectRoomName}
      details={({ operationId }) => operationId !== null && <OperationLog operationId={operationId} />}
      load={loadStateOf(query, t('failed'))}
      filter={{
        search: t('search'),
        choice: {
          label: t('columns.state'),
          width: 170,
          all: t('allStates'),
          values: bulkItemStates,
          labelOf: (state) => t(`states.${state}`),
          chosen: list.search.state,
          onChoose: (state) => list.change({ state }),
        },
      }}
      none={{ icon: IconStack2, title: t('noRooms'), text: t('noRoomsText') }}
      noMatch={{ title: t('noMatch'), text: t('noMatchText') }}
    />
  )
}

/** With what a bulk was started, by whom and when, and when it ended. */
function BulkFacts({ bulk }: { bulk: Bulk }) {
  const { t } = useTranslation('bulks')
  const { action, startedBy: who, startedAt, endedAt } = bulk
  const options = useChosenOptions(bulk)
  const mail = action === 'notify' ? (parametersOf<'notify'>(bulk)?.text ?? null) : null
  const facts = [
    ...options,
    t('startedBy', { who, when: formatMoment(startedAt) }),
    ...(endedAt === null ? [] : [t('ended', { when: formatMoment(endedAt) })]),
  ]
  return (
    <>
      <p className={classes.facts}>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {mail !== null && (
        <Text component="details" c="dimmed">
          <summary>{t('with.text')}</summary>
          <p className={classes.mail}>{mail}</p>
        </Text>
      )}
    </>
  )
}

/** The chosen options that differ from the default. */
function useChosenOptions(bulk: Bulk): string[] {
  const { t } = useTranslation(['bulks', 'rooms'])
  const { data: regions = [] } = useQuery({ ...regionsQuery, enabled: bulk.action === 'move' })
  switch (bulk.action) {
    case 'suspend':
    case 'resume':
      return parametersOf<'suspend'>(bulk)?.userNotification === false ? [t('with.silently')] : []
    case 'retry': {
      const { cause, whenRegionIsBack } = parametersOf<'retry'>(bulk) ?? {}
      return [
        ...(cause === undefined ? [] : [t('with.cause', { cause: t(`rooms:causes.${cause}`) })]),
        ...(whenRegionIsBack === true ? [t('with.whenRegionIsBack')] : []),
      ]
    }
    case 'delete':
      return parametersOf<'delete'>(bulk)?.withoutBackup === true ? [t('fields.withoutBackup')] : []
    case 'move': {
      const move = parametersOf<'move'>(bulk)
      const region = regions.find(({ regionId }) => regionId === move?.targetRegion)?.regionName
      return [
        ...(region === undefined ? [] : [t('with.to', { region })]),
        ...(move?.skipActiveSessions === true ? [t('with.inUseToo')] : []),
      ]
    }
    case 'extend': {
      const extension = parametersOf<'extend'>(bulk)
      if (extension === undefined) return []
      const until = t('with.until', { day: formatDay(extension.expirationDate) })
      return [until, ...(extension.unlimitedToo ? [t('with.unlimitedToo')] : [])]
    }
    case 'notify': {
      const { subject = '' } = parametersOf<'notify'>(bulk) ?? {}
      return subject === '' ? [] : [t('with.subject', { subject })]
    }
    case 'label': {
      const { add = [], remove = [] } = parametersOf<'label'>(bulk) ?? {}
      return [
        ...(add.length === 0 ? [] : [t('with.added', { labels: add.join(', ') })]),
        ...(remove.length === 0 ? [] : [t('with.removed', { labels: remove.join(', ') })]),
      ]
    }
    default:
      return []
  }
}

/** As the contract reads them; undefined: they are of a later release. */
function parametersOf<Action extends Bulk['action']>({ action, parameters }: Bulk): BulkParameters<Action> | undefined {
  return bulkParameters[action].safeParse(parameters).data as BulkParameters<Action> | undefined
}
