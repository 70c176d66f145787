import { Box, Button, CopyButton, Group } from '@mantine/core'
import type { WebhookDelivery } from '@roomkeeper/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '#ui/format.ts'
import { DeliveryOutcome } from './DeliveryOutcome.tsx'
import classes from './Webhooks.module.css'

interface DeliveryDetailsProps {
  delivery: WebhookDelivery
  /** What can be done with it. */
  children?: ReactNode
}

/** What was sent, and what was answered to the last try. */
export function DeliveryDetails({ delivery, children }: DeliveryDetailsProps) {
  const { t } = useTranslation('webhooks')
  const { messageId, lastTryAt, request, answer } = delivery
  const mail = mailOf(delivery)
  const sent = mail === null ? inLines(request) : textOfMail(mail)
  return (
    <div className={classes.details}>
      <DeliveryOutcome delivery={delivery} />
      <dl className="rk-values">
        <dt>{t(mail === null ? 'deliveries.messageId' : 'mails.messageId')}</dt>
        <dd>{messageId}</dd>
        <dt>{t('deliveries.lastTry')}</dt>
        <dd>{lastTryAt === null ? t('deliveries.notTried') : formatMoment(lastTryAt)}</dd>
      </dl>
      <div className={classes.bodies}>
        <Body title={t('deliveries.request')} text={sent} instead={t('mails.composedLater')}>
          <CopyButton value={mail === null ? request : sent}>
            {({ copied, copy }) => (
              <Button size="compact-xs" variant="subtle" onClick={copy}>
                {copied ? t('deliveries.copied') : t('deliveries.copy')}
              </Button>
            )}
          </CopyButton>
        </Body>
        <Body
          title={t('deliveries.answer')}
          text={answer === null ? '' : inLines(answer.body)}
          instead={answer === null ? t('deliveries.noAnswer') : t('deliveries.emptyAnswer')}
        />
      </div>
      {children}
    </div>
  )
}

interface BodyProps {
  title: string
  text: string
  /** Shown if there is no text. */
  instead?: string
  children?: ReactNode
}

function Body({ title, text, instead = '', children }: BodyProps) {
  return (
    <div>
      <Group wrap="nowrap" gap="xs" mih={24} fz="xs">
        <strong>{title}</strong>
        {children}
      </Group>
      {text.trim() === '' ? (
        <p className="rk-note">{instead}</p>
      ) : (
        <Box component="section" mah={260} className="rk-code" aria-label={title} tabIndex={0}>
          {text}
        </Box>
      )}
    </div>
  )
}

/** JSON with its lines and indents, any other text as it is. */
function inLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** `text` null: it is composed when it is sent. */
interface Mail {
  to: string
  text: Record<string, { subject: string; body: string }> | null
}

/** @returns null for what is sent to a webhook */
export function mailOf({ type, request }: WebhookDelivery): Mail | null {
  return type.startsWith('mail.') ? (JSON.parse(request) as Mail) : null
}

/** Subject and body, in each language. */
function textOfMail({ text }: Mail): string {
  const texts = Object.values(text ?? {})
  return texts.map(({ subject, body }) => `${subject}\n\n${body.trim()}`).join('\n\n———\n\n')
}
