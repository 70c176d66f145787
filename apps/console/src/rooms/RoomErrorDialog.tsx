import { Modal } from '@mantine/core'
import type { ProjectRoom } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { useLastPresent } from '#ui/use-last-present.ts'
import { RoomFailure } from './RoomFailure.tsx'

interface RoomErrorDialogProps {
  /** null keeps it closed. */
  room: ProjectRoom | null
  onClose: () => void
}

/** Why a room is in error, and a way out of it. */
export function RoomErrorDialog({ room, onClose }: RoomErrorDialogProps) {
  const shown = useLastPresent(room)
  const { t } = useTranslation(['rooms', 'app'])
  return (
    <Modal
      opened={room !== null}
      onClose={onClose}
      size="lg"
      title={t('failure.title', { name: shown?.tenantName })}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      {shown !== null && <RoomFailure room={shown} onRetried={onClose} />}
    </Modal>
  )
}
