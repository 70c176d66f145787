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
import { lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { ButtonWithReason } from '#ui/ButtonWithReason.tsx'
import { OnceOpened } from '#ui/OnceOpened.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { useLastPresent } from '#ui/use-last-present.ts'
import { type StateChange, StateDialog } from './StateDialog.tsx'

const ImportDatabaseDialog = lazy(async () => ({
  default: (await import('#databases/ImportDatabaseDialog.tsx')).ImportDatabaseDialog,
}))

interface RoomButtonsProps {
  room: ProjectRoom
  onRestore: () => void
}

/** What can be done with the room in its state; whoever may not do it sees why. */
export function RoomButtons({ room, onRestore }: RoomButtonsProps) {
  const [change, setChange] = useState<StateChange | null>(null)
  const shownChange = useLastPresent(change) ?? 'suspend'
  return (
    <>
      {room.projectRoomState === 'DEFAULT' && <ActiveButtons room={room} onChange={setChange} />}
      {room.projectRoomState === 'SUSPENDED' && (
        <SuspendedButtons room={room} onChange={setChange} onRestore={onRestore} />
      )}
      <StateDialog
        change={shownChange}
        name={room.tenantName}
        isOpen={change !== null}
        onClose={() => setChange(null)}
      />
    </>
  )
}

interface StateButtonsProps {
  room: ProjectRoom
  onChange: (change: StateChange) => void
}

function ActiveButtons({ room, onChange }: StateButtonsProps) {
  const { t } = useTranslation('edit')
  const { role } = useOperator()
  const wordsOf = useReasons()
  const [isImporting, setIsImporting] = useState(false)
  return (
    <>
      <ButtonWithReason
        variant="default"
        size="xs"
        why={wordsOf(whyNotChangeDatabases(room, role))}
        onClick={() => setIsImporting(true)}
      >
        {t('buttons.importDatabase')}
      </ButtonWithReason>
      <ButtonWithReason
        variant="default"
        size="xs"
        why={wordsOf(whyNotSuspend(room, role))}
        onClick={() => onChange('suspend')}
      >
        {t('buttons.suspend')}
      </ButtonWithReason>
      <OnceOpened isOpen={isImporting}>
        {(isShown) => <ImportDatabaseDialog room={room} isOpen={isShown} onClose={() => setIsImporting(false)} />}
      </OnceOpened>
    </>
  )
}

function SuspendedButtons({ room, onChange, onRestore }: StateButtonsProps & { onRestore: () => void }) {
  const { t } = useTranslation('edit')
  const { role } = useOperator()
  const wordsOf = useReasons()
  const backUp = useBackup(room.tenantName)
  const whyNot = wordsOf(whyNotBackup(room, role))
  return (
    <>
      <ButtonWithReason
        variant="default"
        size="xs"
        why={wordsOf(whyNotResume(room, role))}
        onClick={() => onChange('resume')}
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
      <ButtonWithReason variant="default" size="xs" why={wordsOf(whyNotRestore(room, role))} onClick={onRestore}>
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
    onSuccess: (_, kind) => {
      toastSuccess(t(`buttons.${kind}`), t('backup.accepted', { name }))
      return queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('backup.failed'), textOf(error))
    },
  })
}
