import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { useLastPresent } from '#ui/use-last-present.ts'
import type { Ending } from './use-session-ending.ts'

interface SessionEndingDialogProps {
  /** null keeps it closed. */
  ending: Ending | null
  onSignOut: () => void
}

/** Asks a minute before the session ends whether to go on. */
export function SessionEndingDialog({ ending, onSignOut }: SessionEndingDialogProps) {
  const { t } = useTranslation('session')
  const shown = useLastPresent(ending)
  if (shown === null) return null
  // Any call keeps the session alive; the dialog closes when this one has.
  const stay = () => void client.call('checkSession', {}).catch(() => undefined)
  const canStay = shown.reason === 'idle'
  return (
    <Dialog
      isOpen={ending !== null}
      onClose={() => (canStay ? stay() : undefined)}
      title={t('ending.title')}
      hasCloseButton={false}
    >
      <Text>{t(`ending.${shown.reason}`, { count: shown.seconds })}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onSignOut}>
          {t('ending.leave')}
        </Button>
        {canStay && (
          <Button data-autofocus onClick={stay}>
            {t('ending.stay')}
          </Button>
        )}
      </Group>
    </Dialog>
  )
}
