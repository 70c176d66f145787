import { SegmentedControl } from '@mantine/core'
import { type DoctorRun, findingSeverities } from '@roomkeeper/contract'
import { IconCircleCheck, IconRefresh, IconSearchOff, IconStethoscope } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { loadStateOf } from '#api/queries.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { toastAccepted } from '#operations/index.ts'
import { EmptyState, NoMatch } from '#ui/EmptyState.tsx'
import { formatMoment } from '#ui/format.ts'
import { BackButton, Page } from '#ui/Page.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import { pagesOfSearch, rememberedPageSize } from '#ui/table/Pager.tsx'
import { TableFilter } from '#ui/table/TableFilter.tsx'
import { toastError } from '#ui/toast.ts'
import { defaultPageSize, pageSizes } from '#ui/url-search.ts'
import classes from './Consistency.module.css'
import { type ConsistencySearch, isNarrowed } from './consistency-search.ts'
import { FindingsTable } from './FindingsTable.tsx'
import { findingsQuery } from './queries.ts'

const tableId = 'consistency'
const pollMilliseconds = 3000

interface ConsistencyPageProps {
  search: ConsistencySearch
  onSearch: (search: ConsistencySearch) => void
  onBack: () => void
}

/** Findings where console, regions and stores disagree, with repairs. For administrators only. */
export function ConsistencyPage({ search, onSearch, onBack }: ConsistencyPageProps) {
  const { t } = useTranslation('consistency')
  const size = search.size ?? rememberedPageSize(tableId, pageSizes, defaultPageSize)
  const query = useQuery({
    ...findingsQuery({ ...search, size }),
    refetchInterval: ({ state }) => (state.data?.lastRun?.state === 'running' ? pollMilliseconds : false),
  })
  const { data, refetch } = query
  // Runs and repairs are operations, so their events say when to refetch.
  useRefetchOnEvents(['doctor', 'findings'], ({ type }) => type === 'operation')
  const reset = () => onSearch({ size: search.size, closed: search.closed })
  return (
    <Page
      title={t('title')}
      before={<BackButton onClick={onBack} />}
      actions={<Actions run={data?.lastRun ?? null} onRefresh={() => void refetch()} />}
    >
      <p className={classes.hint}>{t('hint')}</p>
      <FindingsFilter
        search={search}
        isOutdated={query.isPlaceholderData}
        onNarrow={(change) => onSearch({ ...search, ...change, page: undefined })}
        onReset={reset}
      />
      {data !== undefined && <LastRun run={data.lastRun} />}
      <FindingsTable
        findings={data?.data}
        areClosed={search.closed === true}
        heldFor={search}
        load={loadStateOf(query, t('failed'))}
        empty={<Nothing search={search} wasChecked={data?.lastRun !== null} onReset={reset} />}
        pages={pagesOfSearch(data, { table: tableId, search, onSearch, size, sizes: pageSizes })}
      />
    </Page>
  )
}

/** The state of the newest run. Screen readers announce its changes. */
function LastRun({ run }: { run: DoctorRun | null }) {
  const { t } = useTranslation('consistency')
  return (
    <p className={classes.run} role="status">
      {run === null ? t('neverRun') : <RunText run={run} />}
    </p>
  )
}

function RunText({ run: { state, startedBy, startedAt, endedAt, rooms: count } }: { run: DoctorRun }) {
  const { t } = useTranslation('consistency')
  if (state === 'running') return t('running', { count })
  const who = startedBy === 'system' ? t('system') : startedBy
  const facts = { when: formatMoment(endedAt ?? startedAt), who }
  return state === 'done' ? t('lastRun', { ...facts, count }) : t('lastRunFailed', facts)
}

interface NothingProps {
  search: ConsistencySearch
  wasChecked: boolean
  onReset: () => void
}

function Nothing({ search, wasChecked, onReset }: NothingProps) {
  const { t } = useTranslation('consistency')
  const noMatch = { title: t('noMatch'), text: t('noMatchText') }
  if (isNarrowed(search)) return <NoMatch {...noMatch} reset={t('reset')} onReset={onReset} />
  if (search.closed === true) return <EmptyState {...noMatch} icon={IconSearchOff} />
  if (!wasChecked) return <EmptyState icon={IconStethoscope} title={t('noneYet')} text={t('noneYetText')} />
  return <EmptyState icon={IconCircleCheck} title={t('none')} text={t('noneText')} />
}

function Actions({ run, onRefresh }: { run: DoctorRun | null; onRefresh: () => void }) {
  const { t } = useTranslation('consistency')
  const start = useMutation({
    mutationFn: () => client.call('runDoctor', {}),
    onSuccess: ({ body }) => {
      toastAccepted(body.operationId, { title: t('title'), text: t('runAccepted') })
      onRefresh()
    },
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('runRefused'), textOf(error))
    },
  })
  return (
    <>
      <ToolbarButton icon={IconRefresh} onClick={onRefresh}>
        {t('refresh')}
      </ToolbarButton>
      <ToolbarButton
        icon={IconStethoscope}
        variant="filled"
        loading={start.isPending || run?.state === 'running'}
        onClick={() => start.mutate()}
      >
        {t('run')}
      </ToolbarButton>
    </>
  )
}

interface FindingsFilterProps {
  search: ConsistencySearch
  isOutdated: boolean
  /** Narrows the list and returns to its first page. */
  onNarrow: (change: ConsistencySearch) => void
  onReset: () => void
}

function FindingsFilter({ search, isOutdated, onNarrow, onReset }: FindingsFilterProps) {
  const { t } = useTranslation('consistency')
  return (
    <TableFilter
      text={{ label: t('search'), text: search.search, isOutdated, onText: (text) => onNarrow({ search: text }) }}
      choice={{
        label: t('severity'),
        width: 150,
        all: t('allSeverities'),
        values: findingSeverities,
        labelOf: (severity) => t(`severities.${severity}`),
        chosen: search.severity,
        onChoose: (severity) => onNarrow({ severity }),
      }}
      isNarrowed={isNarrowed(search)}
      reset={t('reset')}
      onReset={onReset}
    >
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
    </TableFilter>
  )
}
