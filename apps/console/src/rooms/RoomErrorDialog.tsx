import type { ProjectRoom } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/dialog-context.ts'
import { RoomFailure } from './RoomFailure.tsx'

/** Why a room is in error, and a way out of it. */
export function RoomErrorDialog({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('rooms')
  return (
    <Dialog title={t('failure.title', { name: room.tenantName })} width="large" closesOutside>
      <RoomFailure room={room} onRetried={useCloseDialog()} />
    </Dialog>
  )
}
