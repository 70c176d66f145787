/** The secrets of a webhook, and its signatures by the Standard Webhooks specification. */
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { Secret, type SecretBox } from '#platform/secrets.ts'

const secretBytes = 32
const prefix = 'whsec_'

export function newSigningSecret(): Secret {
  return new Secret(prefix + randomBytes(secretBytes).toString('base64'))
}

/**
 * The headers of one try.
 * @param sealed the secrets that sign, the present one first
 * @returns null when that cannot be opened. A former one that cannot be does not sign
 */
export function signedHeaders(
  secrets: SecretBox,
  sealed: readonly string[],
  { messageId, body, at }: { messageId: string; body: string; at: Date },
): Record<string, string> | null {
  const [present, ...former] = sealed.map((each) => openIfPossible(secrets, each))
  if (present === undefined || present === null) return null
  const signing = [present, ...former.filter((each) => each !== null)]
  const signatures = signing.map((each) => new Webhook(each.reveal()).sign(messageId, at, body))
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}

function openIfPossible(secrets: SecretBox, sealed: string): Secret | null {
  try {
    return secrets.open(sealed)
  } catch {
    return null
  }
}
