import { Button } from '@mantine/core'
import { type AuditEntry, mailServerId, type SentMail } from '@roomkeeper/contract'
import { isAdministrator } from '@roomkeeper/rules'
import { IconMail, IconMailCheck, IconMailX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { FailureText } from '#operations/index.ts'
import { Pill } from '#ui/Pill.tsx'
import { toastError } from '#ui/toast.ts'
import classes from './EntryOutcome.module.css'

/** What became of the e-mails of an entry's operation, and why. */
export function EntryMails({ entry }: { entry: AuditEntry }) {
  if (entry.mails.length === 0) return null
  return (
    <ul className={classes.mails}>
      {entry.mails.map((mail) => (
        <Mail key={mail.id} mail={mail} />
      ))}
    </ul>
  )
}

const icons = { waiting: IconMail, delivered: IconMailCheck, ended: IconMailX }

function Mail({ mail: { id, to, state, errorText, errorReasons } }: { mail: SentMail }) {
  const { t } = useTranslation(['audit', 'errors'])
  const { role } = useOperator()
  const queryClient = useQueryClient()
  const again = useMutation({
    mutationFn: () => client.call('resendWebhookDelivery', { params: { id: mailServerId, deliveryId: id } }),
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('mail.failed'), textOf(error))
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['rooms', 'history'] }),
  })
  const hasFailed = errorText !== null
  const tone = state === 'delivered' ? 'good' : state === 'ended' ? 'bad' : hasFailed ? 'warn' : 'busy'
  const isPerhapsDelivered = state !== 'delivered' && errorReasons.some(({ code }) => code === 'mail-unanswered')
  const shown = isPerhapsDelivered ? 'perhaps' : state === 'waiting' && hasFailed ? 'late' : state
  return (
    <li>
      <Pill isSmall tone={tone} icon={icons[state]}>
        {t(`mail.${shown}`, { to })}
      </Pill>
      {state !== 'delivered' && hasFailed && (
        <span>
          <FailureText reasons={errorReasons} text={errorText} />
        </span>
      )}
      {isAdministrator(role) && (state === 'ended' || hasFailed) && (
        <Button variant="subtle" size="compact-xs" loading={again.isPending} onClick={() => again.mutate()}>
          {t('mail.again')}
        </Button>
      )}
    </li>
  )
}
