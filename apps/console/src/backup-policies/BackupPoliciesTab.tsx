import type { BackupPolicy } from '@roomkeeper/contract'
import { IconArchive, IconBan, IconPencil, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { loadStateOf } from '#api/queries.ts'
import { ActionToolbar } from '#ui/ActionToolbar.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { NotLoaded } from '#ui/table/NotLoaded.tsx'
import { useSelection } from '#ui/table/row-selection.tsx'
import { toastWarning } from '#ui/toast.ts'
import { BackupPolicyDialog } from './BackupPolicyDialog.tsx'
import { PoliciesTable } from './PoliciesTable.tsx'
import { policiesQuery } from './queries.ts'
import { useDeletePolicy, useSwitchPolicy } from './use-policy-changes.ts'

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
