import { Button, Tooltip } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useIdempotencyKey } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { toastSuccess } from '#ui/toast.ts'
import classes from './restore.module.css'

interface StartRestoreProps {
  /** Why it cannot start, or null. */
  whyNot: string | null
  isPending: boolean
  error: Error | null
  onStart: () => void
}

/** The button that overwrites a room, and why it cannot or did not. */
export function StartRestore({ whyNot, isPending, error, onStart }: StartRestoreProps) {
  const { t } = useTranslation('restore')
  const reasonId = useId()
  return (
    <>
      {error !== null && <ProblemAlert title={t('failed')}>{textOf(error)}</ProblemAlert>}
      <div className={classes.start}>
        <span className={classes.note} id={reasonId}>
          {whyNot}
        </span>
        <Tooltip label={whyNot} disabled={whyNot === null} position="top-end">
          <span className={classes.reason}>
            <Button
              color="red"
              disabled={whyNot !== null}
              loading={isPending}
              aria-describedby={whyNot === null ? undefined : reasonId}
              onClick={onStart}
            >
              {t('start')}
            </Button>
          </span>
        </Tooltip>
      </div>
    </>
  )
}

/**
 * Starts a restore.
 * @param send makes the call; the same body sent again must not start a second one
 */
export function useRestore<Body>(
  room: string,
  send: (body: Body, headers: Record<string, string>) => Promise<unknown>,
  onAccepted: () => void,
) {
  const { t } = useTranslation('restore')
  const queryClient = useQueryClient()
  const keyFor = useIdempotencyKey()
  const wasAccepted = useRef(false)
  const mutation = useMutation({
    mutationFn: (body: Body) => send(body, keyFor(body)),
    onSuccess: () => {
      wasAccepted.current = true
      toastSuccess(t('accepted.title'), t('accepted.text', { name: room }))
      onAccepted()
      return queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
  })
  return { ...mutation, wasAccepted }
}
