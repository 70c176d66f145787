import { Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { type LastMinute, lastMinute } from './session-times.ts'

interface SessionEndingDialogProps {
  /** When the session will end, as known when the dialog was opened. */
  first: LastMinute
  onSignOut: () => void
}

/** Asks a minute before the session ends whether to continue. Closes itself when the session continues or has ended. */
export function SessionEndingDialog({ first, onSignOut }: SessionEndingDialogProps) {
  const { t } = useTranslation('session')
  const [{ reason, seconds }, setShown] = useState(first)
  const close = useCloseDialog()
  useEffect(() => {
    const update = () => {
      const now = lastMinute()
      if (now === null) close()
      else setShown(now)
    }
    const timer = setInterval(update, 1000)
    return () => clearInterval(timer)
  }, [close])
  // Any call keeps the session alive; the dialog closes after the call.
  const stay = () => void client.call('checkSession', {}).catch(() => undefined)
  const canStay = reason === 'idle'
  return (
    <Dialog onClose={() => (canStay ? stay() : undefined)} title={t('ending.title')} hasCloseButton={false}>
      <Text>{t(`ending.${reason}`, { count: seconds })}</Text>
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
