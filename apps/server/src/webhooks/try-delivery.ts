/** One try of a claimed delivery. */
import { mailServerId } from '@roomkeeper/contract'
import type { SecretBox } from '#platform/secrets.ts'
import type { AddressGuard } from './address-guard.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { sendRequest, type Tried } from './send-request.ts'
import { signedHeaders } from './signing-secrets.ts'
import { type MailParts, tryMail } from './try-mail.ts'

export interface SendingParts {
  secrets: SecretBox
  guard: AddressGuard
  mail: MailParts
}

/** Together with the margin of claims less than a claim lasts. */
const limits = { lookUpMilliseconds: 5000, callMilliseconds: 15_000 }

/** Never throws, and ends in time. */
export async function tryDelivery({ secrets, guard, mail }: SendingParts, delivery: ClaimedDelivery): Promise<Tried> {
  const { messageId, body, webhook, claimedAt } = delivery
  if (webhook.id === mailServerId) return tryMail(mail, { messageId, body })
  const signed = signedHeaders(secrets, webhook.secrets, { messageId, body, at: new Date(claimedAt) })
  if (signed === null) return { answer: null, failure: 'secret-unreadable' }
  const headers = {
    ...signed,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'accept-encoding': 'identity',
    'user-agent': 'Roomkeeper',
  }
  return sendRequest(guard, { url: new URL(webhook.url), headers, body, ...limits })
}
