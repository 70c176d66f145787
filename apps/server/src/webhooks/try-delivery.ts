/** One try of a claimed delivery: a call of a webhook, or an e-mail. */
import { mailServerId } from '@roomkeeper/contract'
import { cleanText } from '@roomkeeper/region-protocol'
import type { StoredMail } from '#changes/index.ts'
import { type MailText, NoAnswer, NoMailbox, type SendMail } from '#platform/mail.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { isTlsError } from '#platform/system-error.ts'
import type { AddressGuard } from './address-guard.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { signedHeaders } from './secrets.ts'
import { sendRequest, type Tried } from './send-request.ts'

export interface MailParts {
  send: SendMail
  /** The text that is sent now: a customer's forgotten names of rooms are looked up. Null: there is nothing to tell any more. */
  compose(mail: StoredMail): Promise<MailText | null>
}

export interface SendingParts {
  secrets: SecretBox
  guard: AddressGuard
  mail: MailParts
}

/** Together with the margin of claims less than a claim lasts. */
const callLimits = { lookUpMilliseconds: 5000, callMilliseconds: 15_000 }

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
  return sendRequest(guard, { url: new URL(webhook.url), headers, body, ...callLimits })
}

/** Together with the time to compose it and the margin of claims less than a claim of an e-mail lasts. */
const mailLimits = { sendMilliseconds: 25_000, answerMilliseconds: 90_000 }

/** Never throws, and ends in time. */
async function tryMail({ send, compose }: MailParts, given: { messageId: string; body: string }): Promise<Tried> {
  const began = performance.now()
  const passed = () => Math.round(performance.now() - began)
  const mail = JSON.parse(given.body) as StoredMail
  try {
    const text = await compose(mail)
    if (text === null) return { answer: null, failure: 'not-needed', isForGood: true }
    const said = await send({ id: given.messageId, to: mail.to, text }, mailLimits)
    const milliseconds = passed()
    const answer = said === null ? { status: 0, body: 'DATA_DIR/outbox' } : { status: 250, body: cleanText(said) }
    return { answer: { ...answer, milliseconds }, failure: null }
  } catch (error) {
    return whyNotSent(error, passed())
  }
}

interface MailError {
  code?: string
  command?: string
  responseCode?: number
  response?: string
  message?: string
}

function whyNotSent(error: unknown, milliseconds: number): Tried {
  if (error instanceof NoMailbox) return { answer: null, failure: 'no-mailbox', isForGood: true }
  if (error instanceof NoAnswer) return { answer: null, failure: 'unanswered' }
  const { code = '', command = '', responseCode: status, response = '', message = '' } = error as MailError
  const answer = { status: status ?? 0, body: cleanText(status === undefined ? message : response), milliseconds }
  if (code === 'EAUTH') return { answer, failure: 'sign-in-refused' }
  if (status !== undefined && (command === 'RCPT TO' || command === 'DATA') && isOfMailbox(status, response))
    return { answer, failure: 'refused', isForGood: true }
  // An operator can correct the sender or the connection, so these are tried again.
  if (status !== undefined) return { answer, failure: 'refused' }
  if (code === 'EABORT') return { answer: null, failure: 'timed-out' }
  if (code === 'ETIMEDOUT') return { answer, failure: 'timed-out' }
  if (code === 'ETLS' || isTlsError(code)) return { answer, failure: 'certificate' }
  return { answer, failure: fileErrors.has(code) ? 'not-written' : 'unreachable' }
}

/** The mailbox is refused: not its sender (5.1.7, 5.1.8) and not who sends (5.7, such as `Relay access denied`), by RFC 3463. */
function isOfMailbox(status: number, response: string): boolean {
  const [, enhanced = ''] = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})(?!\S)/.exec(response) ?? []
  if (/^5\.(7\.|1\.[78]$)/.test(enhanced)) return false
  return /^5\.[12]\./.test(enhanced) || [550, 551, 553].includes(status)
}

const fileErrors: ReadonlySet<string> = new Set(['EACCES', 'EDQUOT', 'EIO', 'ENOSPC', 'EPERM', 'EROFS'])
