/**
 * The secrets of a webhook, and its signatures by the Standard Webhooks specification. A former secret keeps signing until
 * it expires, however often the secret is renewed.
 */
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { Secret, type SecretBox } from '#platform/secrets.ts'
import { isLongerAgo } from '#platform/steady-time.ts'

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

const signsAlongHours = 24
/** At a time, so that the header with the signatures stays short. */
const mostFormer = 4

/** Those of a row of `webhooks` that a condition keeps, newest first. */
const formerThat = (isKept: string) => `
  (select coalesce(jsonb_agg(each order by (each ->> 'until')::timestamptz desc), '[]')
     from jsonb_array_elements(former_secrets) as each where ${isKept})`

/** Those that still sign. */
const formerSecrets = formerThat(`(each ->> 'until')::timestamptz > now()`)

/** Those that may be needed again when a clock that has jumped is right again, too. */
const keptSecrets = formerThat(`not ${isLongerAgo(`(each ->> 'until')::timestamptz`, '0 seconds')}`)

/** Of a row of `webhooks`: the secrets that sign now, sealed, the present one first. */
export const signingSecrets = `
  (array[secret] || array(select each ->> 'secret' from jsonb_array_elements(${formerSecrets}) as each))`

/** @throws Refusal `too-many-webhook-secrets`: none is dropped before its end, because a receiver may know only that one */
export async function replaceSecret(
  tx: Tx,
  id: string,
  { secret, changedBy }: { secret: string; changedBy: string },
): Promise<void> {
  const replaced = await queryRows(
    tx,
    `update webhooks set secret = $2, changed_by = $4, changed_at = now(),
        former_secrets =
          jsonb_build_array(jsonb_build_object('secret', secret, 'until', now() + make_interval(hours => $3)))
          || ${keptSecrets}
      where id = $1 and jsonb_array_length(${formerSecrets}) < $5 returning 1`,
    [id, secret, signsAlongHours, changedBy, mostFormer],
  )
  if (replaced.length === 0) throw refuse('too-many-webhook-secrets', { max: mostFormer, hours: signsAlongHours })
}

/** Forgets those whose time is over. */
export async function forgetFormerSecrets(db: Db): Promise<void> {
  await queryRows(
    db,
    `update webhooks set former_secrets = ${keptSecrets}
      where id in (
       select id from webhooks where former_secrets <> ${keptSecrets} for no key update skip locked)`,
  )
}
