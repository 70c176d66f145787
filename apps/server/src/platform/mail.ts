/**
 * Hands one e-mail to the SMTP server, or writes it as an .eml file into the outbox folder when none is set. Features
 * queue e-mails through changes/.
 */
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { makeFolder, replaceFile } from '@roomkeeper/durable-file'
import { mailboxOf } from '@roomkeeper/rules'
import type { SendMailOptions } from 'nodemailer'
import { mailLibrary } from './load-when-used.ts'
import type { Secret } from './secrets.ts'

export const mailLanguages = ['en', 'de'] as const
export type MailLanguage = (typeof mailLanguages)[number]
export type MailText = Record<MailLanguage, { subject: string; body: string }>

export interface Mail {
  /** Becomes the Message-ID, by which a mail that is sent again after a crash can be recognised. */
  id: string
  to: string
  text: MailText
}

export interface MailLimits {
  /** Until the whole mail is sent. Then the connection is closed, so that the mail server drops what it has of it. */
  sendMilliseconds: number
  /** More, for the answer to the whole mail: a mail server may look for spam and malware first. */
  answerMilliseconds: number
}

/**
 * @returns what the mail server said, such as under which id it keeps the mail; null: it was written to the outbox
 * @throws when the mail could not be handed to the mail server or written to the outbox: NoMailbox; NoAnswer; an error of
 * nodemailer, with code `EABORT` when the time to send it was over
 */
export type SendMail = (mail: Mail, limits: MailLimits) => Promise<string | null>

export interface MailSettings {
  smtpUrl: Secret | undefined
  from: string
  language: MailLanguage
  /** The folder for .eml files. */
  outbox: string
}

export function createMailer(settings: MailSettings): SendMail {
  const compose = ({ id, to, text }: Mail): SendMailOptions => ({
    from: settings.from,
    // As an object, because a text is read as a list: an address with a comma in it would reach two mailboxes.
    to: { name: '', address: requireMailbox(to) },
    subject: text[settings.language].subject,
    text: text[settings.language].body,
    messageId: `<${id}@roomkeeper>`,
    // The content of a mail is data: nodemailer must not read files or URLs for it.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  if (settings.smtpUrl === undefined) return (mail) => writeToOutbox(settings.outbox, mail.id, compose(mail))
  const transport = mailLibrary().createTransport(settings.smtpUrl.reveal(), {
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
  } as object)
  // The end of the mail has passed here before its final dot, with which the mail server may accept it, is sent.
  transport.use('stream', (mail, done) => {
    mail.message.transform(new PassThrough().once('end', (mail.data as ObservedMail).onceRead))
    done()
  })
  return async (mail, { sendMilliseconds, answerMilliseconds }) => {
    const over = new AbortController()
    const abort = () => over.abort()
    let limit = setTimeout(abort, sendMilliseconds)
    let isSent = false
    const onceRead = () => {
      isSent = true
      clearTimeout(limit)
      limit = setTimeout(abort, answerMilliseconds)
    }
    const observed: ObservedMail = { ...compose(mail), signal: over.signal, onceRead }
    try {
      return (await transport.sendMail(observed)).response
    } catch (error) {
      throw isSent && !('responseCode' in (error as Error)) ? new NoAnswer('The mail server did not answer.') : error
    } finally {
      clearTimeout(limit)
    }
  }
}

interface ObservedMail extends SendMailOptions {
  signal: AbortSignal
  onceRead: () => void
}

/** The mail server may have the whole mail, and did not say whether it accepts it: it may have been delivered. */
export class NoAnswer extends Error {}

/** The stored address is not that of one mailbox: no other try would help. */
export class NoMailbox extends Error {}

/** @throws NoMailbox */
function requireMailbox(stored: string): string {
  const mailbox = mailboxOf(stored)
  if (mailbox === null) throw new NoMailbox('This is not the address of one mailbox.')
  return mailbox
}

async function writeToOutbox(outbox: string, id: string, mail: SendMailOptions): Promise<null> {
  const { message } = await mailLibrary().createTransport({ streamTransport: true, buffer: true }).sendMail(mail)
  await makeFolder(outbox, 0o700)
  // The file must survive a power cut, because the mail is not sent again.
  await replaceFile(join(outbox, `${id}.eml`), message as Buffer)
  return null
}
