import type { ProjectRoom } from '@roomkeeper/contract'
import {
  type Reason,
  whyNotBackup,
  whyNotChangeDatabases,
  whyNotRestore,
  whyNotResume,
  whyNotSuspend,
} from '@roomkeeper/rules'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { toastAccepted } from '#operations/index.ts'
import { ButtonWithReason } from '#ui/ActionButtons.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { onDemand } from '#ui/on-demand.tsx'
import { useStateChange } from './use-state-change.tsx'

const ImportDatabaseDialog = onDemand(() => import('#databases/ImportDatabaseDialog.tsx'), 'ImportDatabaseDialog')

/** The actions that the room's state allows; a disabled button shows why. */
export function RoomButtons({ room }: { room: ProjectRoom }) {
  if (room.projectRoomState === 'DEFAULT') return <ActiveButtons room={room} />
  if (room.projectRoomState === 'SUSPENDED') return <SuspendedButtons room={room} />
  return null
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
        onClick={() => void changeState('suspend', room.tenantName)}
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
  const backUp = useBackup(room.tenantName)
  const whyNot = textsOf(whyNotBackup(room, role))
  return (
    <>
      <ButtonWithReason
        variant="default"
        size="xs"
        why={textsOf(whyNotResume(room, role))}
        onClick={() => void changeState('resume', room.tenantName)}
      >
        {t('buttons.resume')}
      </ButtonWithReason>
      {(['backup', 'backupD2O'] as const).map((kind) => (
        <ButtonWithReason
          key={kind}
          variant="default"
          size="xs"
          why={whyNot}
          loading={backUp.isPending && backUp.variables === kind}
          onClick={() => backUp.mutate(kind)}
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

function useBackup(name: string) {
  const { t } = useTranslation('edit')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (kind: 'backup' | 'backupD2O') =>
      client.call('backupRoom', { query: { projectRoomName: name, isD2O: kind === 'backupD2O' } }),
    onSuccess: ({ body }, kind) => {
      toastAccepted(body.operationId, { title: t(`buttons.${kind}`), text: t('backup.accepted', { name }) })
      return queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
    meta: { failed: t('backup.failed') },
  })
}
