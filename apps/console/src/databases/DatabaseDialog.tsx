import type { ProjectRoom, RoomDatabase } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { formatMoment } from '#ui/format-moment.ts'
import { useLastPresent } from '#ui/use-last-present.ts'
import { useDatabaseChange } from './use-database-change.ts'

export interface DatabaseChange {
  kind: 'delete' | 'restore'
  database: RoomDatabase
}

interface DatabaseDialogProps {
  room: ProjectRoom
  /** null keeps it closed. */
  change: DatabaseChange | null
  onClose: () => void
}

/** Asks before the content of a database is lost. */
export function DatabaseDialog({ room, change, onClose }: DatabaseDialogProps) {
  const { t } = useTranslation('databases')
  const shown = useLastPresent(change)
  const kind = shown?.kind ?? 'delete'
  const { mutate, isPending, error, reset } = useDatabaseChange(room.tenantName, kind)
  const name = shown?.database.databaseName ?? ''
  const backupAt = shown?.database.backupAt ?? null
  const close = () => {
    reset()
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={change !== null}
      onClose={close}
      title={t(`${kind}.title`, { name })}
      question={t(`${kind}.question`, { name, room: room.tenantName })}
      consequence={t(`${kind}.consequence`, { at: backupAt === null ? '' : formatMoment(backupAt) })}
      confirm={t(`${kind}.confirm`)}
      isDangerous
      isPending={isPending}
      failure={error === null ? null : { title: t(`${kind}.failed`), text: textOf(error) }}
      onConfirm={() => mutate(name, { onSuccess: close })}
    />
  )
}
