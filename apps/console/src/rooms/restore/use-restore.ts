import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useIdempotencyKey } from '#api/idempotency.ts'
import { toastSuccess } from '#ui/toast.ts'

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
