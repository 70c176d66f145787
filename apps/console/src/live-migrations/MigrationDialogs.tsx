import type { LiveMigration } from '@roomkeeper/contract'
import { DeleteMigrationDialog } from './DeleteMigrationDialog.tsx'
import { MigrationDialog } from './MigrationDialog.tsx'
import { ResetPriorityDialog } from './ResetPriorityDialog.tsx'
import { StartMigrationDialog } from './StartMigrationDialog.tsx'
import { StateDialog } from './StateDialog.tsx'
import { StopMigrationDialog } from './StopMigrationDialog.tsx'
import type { OpenDialog } from './use-migration-actions.ts'

interface MigrationDialogsProps {
  migrations: readonly LiveMigration[]
  dialog: OpenDialog | null
  onClose: () => void
}

/** One of them is open at most; it shows the configuration as it is now. */
export function MigrationDialogs({ migrations, dialog, onClose }: MigrationDialogsProps) {
  const found = migrations.find((each) => each.id === dialog?.id) ?? null
  const of = (action: OpenDialog['action']) => ({ migration: dialog?.action === action ? found : null, onClose })
  const { migration: edited } = of('edit')
  return (
    <>
      <MigrationDialog isOpen={dialog?.action === 'new' || edited !== null} stored={edited} onClose={onClose} />
      <DeleteMigrationDialog {...of('delete')} />
      <StartMigrationDialog {...of('start')} />
      <StopMigrationDialog {...of('stop')} />
      <ResetPriorityDialog {...of('resetPriority')} />
      <StateDialog {...of('state')} />
    </>
  )
}
