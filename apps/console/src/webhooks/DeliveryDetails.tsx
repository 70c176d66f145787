import { Button, CopyButton } from '@mantine/core'
import type { WebhookDelivery } from '@roomkeeper/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import code from '#ui/code.module.css'
import facts from '#ui/facts.module.css'
import { formatMoment } from '#ui/format.ts'
import { DeliveryOutcome } from './DeliveryOutcome.tsx'
import { mailOf, textOfMail } from './mail-of.ts'
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
      <dl className={facts.facts}>
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
    <div className={classes.body}>
      <div className={classes.head}>
        <strong>{title}</strong>
        {children}
      </div>
      {text.trim() === '' ? (
        <p className={classes.note}>{instead}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className={`${code.block} ${classes.text}`} aria-label={title} tabIndex={0}>
          {text}
        </section>
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
