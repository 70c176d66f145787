import type { LiveMigration } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useMigrationCall } from './use-migration-call.ts'
import { useMigrationName } from './use-migration-name.ts'

interface DeleteMigrationDialogProps {
  /** null keeps it closed. */
  migration: LiveMigration | null
  onClose: () => void
}

export function DeleteMigrationDialog({ migration, onClose }: DeleteMigrationDialogProps) {
  const { t } = useTranslation('migrations')
  const name = useMigrationName(migration)
  const { confirm, close, isPending, failure } = useMigrationCall({
    call: (id: number) => client.call('deleteLiveMigration', { body: { id } }),
    done: t('delete.done'),
    failed: t('delete.failed'),
    onClose,
  })
  return (
    <ConfirmDialog
      isOpen={migration !== null}
      onClose={close}
      title={t('delete.title')}
      question={t('delete.question')}
      consequence={t('delete.consequence', { name })}
      confirm={t('delete.confirm')}
      isDangerous
      isPending={isPending}
      failure={failure}
      onConfirm={() => {
        if (migration !== null) confirm(migration.id)
      }}
    />
  )
}
