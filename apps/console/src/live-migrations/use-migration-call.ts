import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { toastSuccess } from '#ui/toast.ts'
import { useSentences } from '#ui/use-sentences.ts'

interface MigrationCall<Input> {
  call: (input: Input) => Promise<unknown>
  /** The text of the toast when it worked. */
  done: string
  /** The title of the failure when it did not. */
  failed: string
  onClose: () => void
}

/** A change to live migrations that a dialog asks about: it closes when that worked and keeps the failure otherwise. */
export function useMigrationCall<Input>({ call, done, failed, onClose }: MigrationCall<Input>) {
  const { t } = useTranslation('migrations')
  const translated = useSentences('migrations')
  const queryClient = useQueryClient()
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: call,
    onSuccess: () => {
      toastSuccess(t('title'), done)
      onClose()
    },
    // Also a refused change has learned something: the configuration is another one by now.
    onSettled: () =>
      Promise.all(['live-migrations', 'regions'].map((key) => queryClient.invalidateQueries({ queryKey: [key] }))),
  })
  const close = () => {
    reset()
    onClose()
  }
  const failure = error === null ? null : { title: failed, text: translated(textOf(error)) }
  return { confirm: mutate, close, isPending, failure }
}
