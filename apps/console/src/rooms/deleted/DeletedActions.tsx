import type { DeletedRoom } from '@roomkeeper/contract'
import { IconListDetails, IconRestore, IconTrashX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { IconAction } from '#ui/ActionButtons.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import type { Details } from '#ui/table/column.ts'
import classes from './DeletedRooms.module.css'
import { RestoreDeletedDialog } from './RestoreDeletedDialog.tsx'
import { usePurge } from './use-purge.tsx'

/** Restore and purge; before them the log of what is under way or has failed. */
export function DeletedActions({ room, details }: { room: DeletedRoom; details: Details }) {
  const { t } = useTranslation('deleted')
  const purge = usePurge()
  const { projectRoomName: name, operationId } = room
  return (
    <div className={classes.actions}>
      <span className={classes.log}>
        {operationId !== null && (
          <IconAction label={t('log', { name })} icon={IconListDetails} onClick={details.toggle} />
        )}
      </span>
      <IconAction
        label={t('restore.label', { name })}
        icon={IconRestore}
        why={useWhyNotRestore(room)}
        onClick={() => openDialog(<RestoreDeletedDialog room={room} />)}
      />
      <IconAction
        label={t('purge.label', { name })}
        icon={IconTrashX}
        why={useWhyNotPurge(room)}
        onClick={() => void purge(room)}
      />
    </div>
  )
}

function useWhyNotRestore({ state, backup }: DeletedRoom): string | null {
  const { t } = useTranslation('deleted')
  if (state !== 'KEPT') return t(`reasons.${state}`)
  return backup === null ? t('reasons.noBackup') : null
}

/** A purge that has failed can begin once more. */
function useWhyNotPurge({ state }: DeletedRoom): string | null {
  const { t } = useTranslation('deleted')
  return state === 'RESTORING' || state === 'PURGING' ? t(`reasons.${state}`) : null
}
