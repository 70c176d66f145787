import type { BackupPolicy } from '@roomkeeper/contract'
import {
  IconAlertTriangle,
  IconArchive,
  IconBan,
  IconCircleCheck,
  IconPencil,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { loadStateOf } from '#api/queries.ts'
import { ActionToolbar } from '#ui/ActionToolbar.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { formatMoment, useNumberFormat } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import { NotLoaded } from '#ui/table/NotLoaded.tsx'
import { type Selection, useSelection } from '#ui/table/row-selection.tsx'
import { Table } from '#ui/table/Table.tsx'
import { toastSuccess, toastWarning } from '#ui/toast.ts'
import classes from './BackupPolicies.module.css'
import { BackupPolicyDialog } from './BackupPolicyDialog.tsx'
import { policiesQuery } from './queries.ts'
import { usePolicyWords } from './use-words.ts'

/** All backup policies, and the actions on the selected one. */
export function BackupPoliciesTab() {
  const { t } = useTranslation('backup-policies')
  const query = useQuery(policiesQuery)
  useRefetchOnEvents(policiesQuery.queryKey, ({ type }) => type === 'backup-policy')
  if (query.data === undefined) return <NotLoaded {...loadStateOf(query, t('loadFailed'))} />
  return <Policies policies={query.data} />
}

function Policies({ policies }: { policies: readonly BackupPolicy[] }) {
  const { t } = useTranslation('backup-policies')
  const selection = useSelection(policies, ({ id }) => id)
  const act = usePolicyActions(selection.rows)
  return (
    <>
      <ActionToolbar
        icons={icons}
        label={(action) => t(`actions.${action}`)}
        primary="new"
        busy={act.busy}
        whyNot={act.whyNot}
        onAction={act.run}
      />
      <PoliciesTable
        policies={policies}
        selection={selection}
        empty={<EmptyState icon={IconArchive} title={t('none.title')} text={t('none.text')} />}
      />
    </>
  )
}

const icons = {
  new: IconPlus,
  edit: IconPencil,
  delete: IconTrash,
  switchOff: IconBan,
  switchOn: IconPlayerPlay,
} as const
type PolicyAction = keyof typeof icons

/** The action of each button: opens a dialog, switches the selected policy, or warns unless exactly one is selected. */
function usePolicyActions(selected: readonly BackupPolicy[]) {
  const { t } = useTranslation('backup-policies')
  const switching = useSwitchPolicy()
  const deletePolicy = useDeletePolicy()
  const [policy, ...others] = selected
  const run = (action: PolicyAction) => {
    if (action === 'new') return openDialog(<BackupPolicyDialog policy={null} />)
    if (policy === undefined || others.length > 0) return toastWarning(t(`actions.${action}`), t('selectOne'))
    if (action === 'edit') return openDialog(<BackupPolicyDialog policy={policy} />)
    if (action === 'delete') return void deletePolicy(policy)
    switching.mutate({ policy, isOn: action === 'switchOn' })
  }
  /** Gives a reason only when switching would change nothing. In all other cases a click says what to select. */
  const whyNot = (action: PolicyAction) => {
    if (action !== 'switchOff' && action !== 'switchOn') return null
    const isAlready = others.length === 0 && policy?.isOn === (action === 'switchOn')
    return isAlready ? t(`${action}.already`) : null
  }
  const busy = !switching.isPending ? null : switching.variables.isOn ? 'switchOn' : 'switchOff'
  return { run, whyNot, busy } as const
}

/** @returns a function that removes a policy after saying what becomes of its backups */
function useDeletePolicy() {
  const { t } = useTranslation('backup-policies')
  const queryClient = useQueryClient()
  return async ({ id, name }: BackupPolicy) => {
    const isDeleted = await confirm({
      title: t('delete.title', { name }),
      question: t('delete.question'),
      consequence: t('delete.consequence'),
      confirm: t('delete.confirm'),
      danger: true,
      failed: t('delete.failed'),
      run: () =>
        client
          .call('deleteBackupPolicy', { params: { id } })
          .finally(() => queryClient.invalidateQueries({ queryKey: policiesQuery.queryKey })),
    })
    if (isDeleted) toastSuccess(name, t('delete.done'))
  }
}

/** Switches a policy on or off; one that was changed meanwhile is refused. */
function useSwitchPolicy() {
  const { t } = useTranslation('backup-policies')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ policy: { id, runs: _, ...policy }, isOn }: { policy: BackupPolicy; isOn: boolean }) =>
      client.call('changeBackupPolicy', { params: { id }, body: { ...policy, isOn } }),
    onSuccess: (_, { policy, isOn }) => toastSuccess(policy.name, isOn ? t('switchOn.done') : t('switchOff.done')),
    meta: { failed: t('edit.failed') },
    onSettled: () => queryClient.invalidateQueries({ queryKey: policiesQuery.queryKey }),
  })
}

interface PoliciesTableProps {
  policies: readonly BackupPolicy[]
  selection: Selection<BackupPolicy>
  empty: ReactNode
}

function PoliciesTable({ policies, selection, empty }: PoliciesTableProps) {
  const { t } = useTranslation('backup-policies')
  const words = usePolicyWords()
  return (
    <Table
      label={t('title')}
      rows={policies}
      rowId={({ id }) => id}
      empty={empty}
      orderKey="backup-policies"
      selection={{
        ...selection,
        title: t('columns.select'),
        labelOf: ({ name }) => t('columns.selectOf', { name }),
      }}
      columns={[
        { id: 'name', title: t('columns.name'), isName: true, cell: ({ name }) => name },
        { id: 'state', title: t('columns.state'), cell: ({ isOn }) => <StatePill isOn={isOn} /> },
        { id: 'rooms', title: t('columns.rooms'), cell: ({ rooms }) => <Long>{words.rooms(rooms)}</Long> },
        {
          id: 'schedule',
          title: t('columns.schedule'),
          cell: ({ schedule }) => <Long>{words.schedule(schedule)}</Long>,
        },
        { id: 'keep', title: t('columns.keep'), cell: ({ keep }) => <Long>{words.keep(keep)}</Long> },
        { id: 'runs', title: t('columns.runs'), cell: ({ runs }) => <Runs {...runs} /> },
      ]}
    />
  )
}

function Long({ children }: { children: string }) {
  return <span className={classes.long}>{children}</span>
}

function StatePill({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation('backup-policies')
  const state = isOn ? 'on' : 'off'
  return <Pill {...looks[state]}>{t(`states.${state}`)}</Pill>
}

const looks = {
  on: { tone: 'good', icon: IconCircleCheck },
  off: { tone: 'quiet', icon: IconBan },
} as const

/** When the last backup began, and below it how those of the last week have ended. */
function Runs({ lastAt, ...counts }: BackupPolicy['runs']) {
  const { t } = useTranslation('backup-policies')
  const number = useNumberFormat()
  const said = (['done', 'missed', 'failed'] as const).filter((each) => counts[each] > 0)
  const inWords = said.map((each) => t(`runs.${each}`, { count: counts[each], n: number.format(counts[each]) }))
  const isGood = counts.missed + counts.failed === 0
  return (
    <>
      <span className={classes.moment}>{lastAt === null ? t('runs.never') : formatMoment(lastAt)}</span>
      {said.length > 0 && (
        <div className="rk-note">
          {isGood ? (
            t('runs.week', { runs: inWords.join(', ') })
          ) : (
            <Pill tone="warn" icon={IconAlertTriangle} isLong>
              {t('runs.week', { runs: inWords.join(', ') })}
            </Pill>
          )}
        </div>
      )}
    </>
  )
}
