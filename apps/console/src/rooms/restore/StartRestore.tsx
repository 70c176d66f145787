import type { BackupContents, ProjectRoom } from '@roomkeeper/contract'
import type { Reason } from '@roomkeeper/rules'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIdempotencyKey } from '#api/client.ts'
import { textOf } from '#locales/error-texts.ts'
import { type AcceptedAnswer, toastAccepted } from '#operations/index.ts'
import { NextStep } from '#ui/form/FormFoot.tsx'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { BackupReview, isOfOtherRoom, whyUnfitFor } from './BackupReview.tsx'

export interface RestoreSourceProps {
  room: ProjectRoom
  /** Why the room cannot be restored now; null if it can. */
  whyNot: Reason | null
  onAccepted: () => void
}

interface StartRestoreProps extends Pick<RestoreSourceProps, 'room' | 'whyNot'> {
  /** The backup to restore; null if there is none yet. */
  backup: BackupContents | null
  /** What has to be done before there is a backup. */
  whyNone: string
  restore: { isPending: boolean; error: Error | null }
  onStart: (confirmOtherRoom: boolean) => void
}

/** The backup beside the room, the button that overwrites the room with it, and why it is disabled or has failed. */
export function StartRestore({ room, whyNot, backup, whyNone, restore, onStart }: StartRestoreProps) {
  const { t } = useTranslation(['restore', 'rooms'])
  const [confirmOtherRoom, setConfirmOtherRoom] = useState(false)
  const [seen, setSeen] = useState(backup)
  // The consent was given for the previous backup.
  if (backup !== seen) {
    setSeen(backup)
    setConfirmOtherRoom(false)
  }
  const reason = () => {
    if (whyNot !== null) return t(`rooms:reasons.${whyNot}`)
    if (backup === null) return whyNone
    if (whyUnfitFor(room, backup) !== null) return t('unfit.title')
    return isOfOtherRoom(room, backup) && !confirmOtherRoom ? t('confirmFirst') : null
  }
  return (
    <>
      {backup !== null && (
        <BackupReview
          room={room}
          backup={backup}
          confirmOtherRoom={confirmOtherRoom}
          onConfirmOtherRoom={setConfirmOtherRoom}
        />
      )}
      {restore.error !== null && <ProblemAlert title={t('failed')}>{textOf(restore.error)}</ProblemAlert>}
      <NextStep color="red" why={reason()} loading={restore.isPending} onClick={() => onStart(confirmOtherRoom)}>
        {t('start')}
      </NextStep>
    </>
  )
}

/**
 * Starts a restore.
 * @param send makes the call; sending the same body again must not start a second restore
 */
export function useRestore<Body>(
  room: string,
  send: (body: Body, headers: Record<string, string>) => Promise<AcceptedAnswer>,
  onAccepted: () => void,
) {
  const { t } = useTranslation('restore')
  const queryClient = useQueryClient()
  const keyFor = useIdempotencyKey()
  const wasAccepted = useRef(false)
  const mutation = useMutation({
    mutationFn: (body: Body) => send(body, keyFor(body)),
    onSuccess: ({ body }) => {
      wasAccepted.current = true
      toastAccepted(body.operationId, { title: t('accepted.title'), text: t('accepted.text', { name: room }) })
      onAccepted()
      return queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
  })
  return { ...mutation, wasAccepted }
}
