import type { LiveMigration, MigrationStateEntry } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useMigrationCall } from './use-migration-call.ts'

interface DeleteStatesDialogProps {
  isOpen: boolean
  migration: LiveMigration
  entries: readonly MigrationStateEntry[]
  onClose: () => void
}

export function DeleteStatesDialog({ isOpen, migration, entries, onClose }: DeleteStatesDialogProps) {
  const { t } = useTranslation('migrations')
  const { confirm, close, isPending, failure } = useMigrationCall({
    call: (states: number[]) =>
      client.call('deleteMigrationStates', { body: { states, liveMigrationDataID: migration.id } }),
    done: t('state.deleteDone'),
    failed: t('state.deleteFailed'),
    onClose,
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={t('state.deleteTitle')}
      question={t('state.deleteQuestion')}
      consequence={t('state.deleteConsequence', { names: entries.map((each) => each.projectRoomName).join(', ') })}
      confirm={t('state.delete')}
      isDangerous
      isPending={isPending}
      failure={failure}
      onConfirm={() => confirm(entries.map((each) => each.id))}
    />
  )
}
