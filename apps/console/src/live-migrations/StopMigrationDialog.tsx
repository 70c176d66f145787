import type { LiveMigration } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useMigrationCall } from './use-migration-call.ts'
import { useMigrationName } from './use-migration-name.ts'

interface StopMigrationDialogProps {
  /** null keeps it closed. */
  migration: LiveMigration | null
  onClose: () => void
}

export function StopMigrationDialog({ migration, onClose }: StopMigrationDialogProps) {
  const { t } = useTranslation('migrations')
  const name = useMigrationName(migration)
  const { confirm, close, isPending, failure } = useMigrationCall({
    call: (id: number) => client.call('stopLiveMigration', { body: { id } }),
    done: t('stop.done'),
    failed: t('stop.failed'),
    onClose,
  })
  return (
    <ConfirmDialog
      isOpen={migration !== null}
      onClose={close}
      title={t('stop.title')}
      question={t('stop.question')}
      consequence={t('stop.consequence', { name })}
      confirm={t('stop.confirm')}
      isDangerous
      isPending={isPending}
      failure={failure}
      onConfirm={() => {
        if (migration !== null) confirm(migration.id)
      }}
    />
  )
}
