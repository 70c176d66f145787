import type { ProjectRoom } from '@roomkeeper/contract'
import {
  type Reason,
  whyNotBackup,
  whyNotChangeDatabases,
  whyNotRestore,
  whyNotResume,
  whyNotSuspend,
} from '@roomkeeper/rules'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { RoomActionsButton } from '#room-actions/index.ts'
import { ButtonWithReason } from '#ui/ActionButtons.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { onDemand } from '#ui/on-demand.tsx'
import { useBackUp } from './use-back-up.ts'
import { useStateChange } from './use-state-change.tsx'

const ImportDatabaseDialog = onDemand(() => import('#databases/ImportDatabaseDialog.tsx'), 'ImportDatabaseDialog')

/** The actions that the room's state allows, and the menu of the others; a disabled button shows why. */
export function RoomButtons({ room }: { room: ProjectRoom }) {
  return (
    <>
      {room.projectRoomState === 'DEFAULT' && <ActiveButtons room={room} />}
      {room.projectRoomState === 'SUSPENDED' && <SuspendedButtons room={room} />}
      <RoomActionsButton room={room} isOnPage />
    </>
  )
}

function ActiveButtons({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('edit')
  const { role } = useOperator()
  const textsOf = useReasons()
  const changeState = useStateChange()
  return (
    <>
      <ButtonWithReason
        variant="default"
        size="xs"
        why={textsOf(whyNotChangeDatabases(room, role))}
        onClick={() => openDialog(<ImportDatabaseDialog room={room} />)}
      >
        {t('buttons.importDatabase')}
      </ButtonWithReason>
      <ButtonWithReason
        variant="default"
        size="xs"
        why={textsOf(whyNotSuspend(room, role))}
        onClick={() => void changeState('suspend', room)}
      >
        {t('buttons.suspend')}
      </ButtonWithReason>
    </>
  )
}

function SuspendedButtons({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('edit')
  const { role } = useOperator()
  const textsOf = useReasons()
  const changeState = useStateChange()
  const navigate = useNavigate()
  const backUp = useBackUp()
  const whyNot = textsOf(whyNotBackup(room, role))
  return (
    <>
      <ButtonWithReason
        variant="default"
        size="xs"
        why={textsOf(whyNotResume(room, role))}
        onClick={() => void changeState('resume', room)}
      >
        {t('buttons.resume')}
      </ButtonWithReason>
      {(['backup', 'backupD2O'] as const).map((kind) => (
        <ButtonWithReason
          key={kind}
          variant="default"
          size="xs"
          why={whyNot}
          loading={backUp.isPending && backUp.variables.kind === kind}
          onClick={() => backUp.mutate({ name: room.tenantName, kind })}
        >
          {t(`buttons.${kind}`)}
        </ButtonWithReason>
      ))}
      <ButtonWithReason
        variant="default"
        size="xs"
        why={textsOf(whyNotRestore(room, role))}
        onClick={() => void navigate({ to: '/project/restore_project_room/$id', params: { id: room.tenantName } })}
      >
        {t('buttons.restore')}
      </ButtonWithReason>
    </>
  )
}

function useReasons(): (reason: Reason | null) => string | null {
  const { t } = useTranslation('rooms')
  return (reason) => (reason === null ? null : t(`reasons.${reason}`))
}
