import type { WebhookDelivery } from '@roomkeeper/contract'

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
export function textOfMail({ text }: Mail): string {
  const texts = Object.values(text ?? {})
  return texts.map(({ subject, body }) => `${subject}\n\n${body.trim()}`).join('\n\n———\n\n')
}
