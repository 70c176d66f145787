import { Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { type DoctorRun, type Finding, type FindingSeverity, findingSeverities } from '@roomkeeper/contract'
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconCircleCheck,
  IconInfoCircle,
  IconSearchOff,
  IconStethoscope,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { loadStateOf } from '#api/queries.ts'
import { OperationLog } from '#operations/index.ts'
import { DisclosureButton } from '#ui/DisclosureButton.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { formatMoment } from '#ui/format.ts'
import { ListPage, PagedTable } from '#ui/ListPage.tsx'
import { type Look, Pill } from '#ui/Pill.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import type { Column, RowContext } from '#ui/table/column.ts'
import { usePagedSearch } from '#ui/use-paged-search.ts'
import { Advice, FindingText, useFindingText } from './FindingText.tsx'
import { findingsQuery } from './queries.ts'
import { RepairDialog } from './RepairDialog.tsx'
import { useRunDoctor } from './use-run-doctor.ts'

const pollMilliseconds = 3000

/** Findings where console, regions and stores disagree, with repairs. For administrators only. */
export function ConsistencyPage() {
  const { t } = useTranslation('consistency')
  const list = usePagedSearch('/project/_signed-in/consistency', {
    name: 'consistency',
    filters: ['search', 'severity'],
  })
  const { search } = list
  const query = useQuery({
    ...findingsQuery({ ...search, ...list.wanted }),
    refetchInterval: ({ state }) => (state.data?.lastRun?.state === 'running' ? pollMilliseconds : false),
  })
  const { data, refetch } = query
  // Runs and repairs are operations, so their events say when to refetch.
  useRefetchOnEvents(['doctor', 'findings'], ({ type }) => type === 'operation')
  const areClosed = search.closed === true
  const noMatch = { title: t('noMatch'), text: t('noMatchText') }
  const noneOpen =
    data?.lastRun === null
      ? { icon: IconStethoscope, title: t('noneYet'), text: t('noneYetText') }
      : { icon: IconCircleCheck, title: t('none'), text: t('noneText') }
  return (
    <ListPage
      title={t('title')}
      hint={t('hint')}
      onRefresh={refetch}
      actions={<RunButton run={data?.lastRun ?? null} onStarted={() => void refetch()} />}
    >
      <PagedTable
        label={t('title')}
        remembered="findings"
        list={list}
        found={data}
        columns={useColumns(areClosed, data?.data)}
        rowId={({ id }) => id}
        details={({ operationId }) => operationId !== null && <OperationLog operationId={operationId} />}
        load={loadStateOf(query, t('failed'))}
        filter={{
          search: t('search'),
          choice: {
            label: t('severity'),
            width: 150,
            all: t('allSeverities'),
            values: findingSeverities,
            labelOf: (severity) => t(`severities.${severity}`),
            chosen: search.severity,
            onChoose: (severity) => list.change({ severity }),
          },
          more: <OpenOrClosed areClosed={areClosed} onChange={(closed) => list.change({ closed })} />,
        }}
        none={areClosed ? { ...noMatch, icon: IconSearchOff } : noneOpen}
        noMatch={noMatch}
      >
        {data?.lastRun !== null && <LastRun run={data?.lastRun} />}
      </PagedTable>
    </ListPage>
  )
}

/** The state of the newest run. Screen readers announce its changes. Its place is kept while it loads. */
function LastRun({ run }: { run: DoctorRun | undefined }) {
  return (
    <Text className="rk-hint" pt="2xs" pb="xs" role="status">
      {run === undefined ? <>&nbsp;</> : <RunText run={run} />}
    </Text>
  )
}

function RunText({ run: { state, startedBy, startedAt, endedAt, rooms: count } }: { run: DoctorRun }) {
  const { t } = useTranslation('consistency')
  if (state === 'running') return t('running', { count })
  const who = startedBy === 'system' ? t('system') : startedBy
  const facts = { when: formatMoment(endedAt ?? startedAt), who }
  return state === 'done' ? t('lastRun', { ...facts, count }) : t('lastRunFailed', facts)
}

function RunButton({ run, onStarted }: { run: DoctorRun | null; onStarted: () => void }) {
  const { t } = useTranslation('consistency')
  const start = useRunDoctor(onStarted)
  return (
    <ToolbarButton
      icon={IconStethoscope}
      variant="filled"
      loading={start.isPending || run?.state === 'running'}
      onClick={() => start.mutate()}
    >
      {t('run')}
    </ToolbarButton>
  )
}

interface OpenOrClosedProps {
  areClosed: boolean
  onChange: (closed: true | undefined) => void
}

function OpenOrClosed({ areClosed, onChange }: OpenOrClosedProps) {
  const { t } = useTranslation('consistency')
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('show')}
      value={areClosed ? 'closed' : 'open'}
      onChange={(value) => onChange(value === 'closed' ? true : undefined)}
      data={[
        { value: 'open', label: t('open') },
        { value: 'closed', label: t('closed') },
      ]}
    />
  )
}

function useColumns(areClosed: boolean, findings: readonly Finding[] = []): Column<Finding>[] {
  const { t } = useTranslation('consistency')
  const closedAt: Column<Finding> = {
    id: 'closedAt',
    title: t('columns.closedAt'),
    text: 'whole',
    size: 190,
    cell: closedAtOf,
  }
  const repairs: Column<Finding> = {
    id: 'actions',
    title: t('columns.actions'),
    isActions: true,
    size: 190,
    cell: (finding) => <Repairs finding={finding} />,
  }
  // Where nothing can be repaired from here, there is no column for it.
  const canRepair = findings.some((each) => each.repairs.length > 0)
  return [
    {
      id: 'severity',
      title: t('columns.severity'),
      text: 'whole',
      size: 120,
      cell: (finding) => <Severity finding={finding} />,
    },
    {
      id: 'text',
      title: t('columns.text'),
      text: 'wrapped',
      size: { share: 1, atLeast: 240 },
      cell: (finding, details) => <FindingCell finding={finding} details={details} />,
    },
    {
      id: 'since',
      title: t('columns.since'),
      text: 'whole',
      size: 160,
      cell: ({ since }) => <time dateTime={since}>{formatMoment(since)}</time>,
    },
    ...(areClosed ? [closedAt] : canRepair ? [repairs] : []),
  ]
}

const closedAtOf = ({ closedAt }: Finding) =>
  closedAt !== null && <time dateTime={closedAt}>{formatMoment(closedAt)}</time>

const looks: Readonly<Record<FindingSeverity, Look>> = {
  error: { tone: 'bad', icon: IconAlertCircle },
  warning: { tone: 'warn', icon: IconAlertTriangle },
  info: { tone: 'quiet', icon: IconInfoCircle },
}

function Severity({ finding: { severity } }: { finding: Finding }) {
  const { t } = useTranslation('consistency')
  return <Pill {...looks[severity]}>{t(`severities.${severity}`)}</Pill>
}

function FindingCell({ finding, details }: { finding: Finding; details: RowContext }) {
  const { t } = useTranslation(['consistency', 'operations'])
  return (
    <>
      <div>
        <FindingText finding={finding} isLinked />
      </div>
      {finding.closedAt === null && (
        <div className="rk-note">
          <Advice finding={finding} />
        </div>
      )}
      {finding.operationId !== null && (
        <DisclosureButton isInText isOpen={details.isOpen} toggle={details.toggle}>
          {details.isOpen ? t('operations:hideLog') : t('log')}
        </DisclosureButton>
      )}
    </>
  )
}

function Repairs({ finding }: { finding: Finding }) {
  const { t } = useTranslation('consistency')
  const { text } = useFindingText()(finding)
  return (
    <Stack gap="2xs" py="xs">
      {finding.repairs.map((repair) => (
        <Button
          key={repair}
          size="compact-xs"
          variant="default"
          aria-label={t('repairLabel', { repair: t(`repairs.${repair}`), text })}
          onClick={() => openDialog(<RepairDialog finding={finding} repair={repair} />)}
        >
          {t(`repairs.${repair}`)}
        </Button>
      ))}
    </Stack>
  )
}
