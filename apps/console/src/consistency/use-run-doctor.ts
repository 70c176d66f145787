import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { toastAccepted } from '#operations/index.ts'

/** Starts a check of consistency. */
export function useRunDoctor(onStarted?: () => void) {
  const { t } = useTranslation('consistency')
  return useMutation({
    mutationFn: () => client.call('runDoctor', {}),
    onSuccess: ({ body }) => {
      toastAccepted(body.operationId, { title: t('title'), text: t('runAccepted') })
      onStarted?.()
    },
    meta: { failed: t('runRefused') },
  })
}
