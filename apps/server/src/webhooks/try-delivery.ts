/** One try of a claimed delivery. */
import type { SecretBox } from '#platform/secrets.ts'
import type { AddressGuard } from './address-guard.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { sendRequest, type Tried } from './send-request.ts'
import { signedHeaders } from './signing-secrets.ts'

export interface SendingParts {
  secrets: SecretBox
  guard: AddressGuard
}

export const trySeconds = 15

/** @throws Error when a secret of the webhook cannot be opened */
export function tryDelivery({ secrets, guard }: SendingParts, delivery: ClaimedDelivery): Promise<Tried> {
  const { messageId, body, webhook } = delivery
  const headers = {
    ...signedHeaders(secrets, webhook.secrets, { messageId, body, at: new Date() }),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'accept-encoding': 'identity',
    'user-agent': 'Roomkeeper',
  }
  const signal = AbortSignal.timeout(trySeconds * 1000)
  return sendRequest(guard, { url: new URL(webhook.url), headers, body, signal })
}
