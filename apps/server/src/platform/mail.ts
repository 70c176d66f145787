/**
 * Hands one e-mail to the SMTP server, or writes it as an .eml file into the outbox folder when none is set. Who has
 * something to say to somebody writes it into mail-outbox.ts.
 */
import { join } from 'node:path'
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

/**
 * @returns what the mail server said, such as under which id it keeps the mail; null: it was written to the outbox
 * @throws when the mail could not be handed to the mail server or written to the outbox
 */
export type SendMail = (mail: Mail) => Promise<string | null>

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
    to: { name: '', address: knownMailboxOf(to) },
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
    socketTimeout: 20_000,
  } as object)
  return async (mail) => (await transport.sendMail(compose(mail))).response
}

/** The stored address is not that of one mailbox: no other try would help. */
export class NoMailbox extends Error {}

/** @throws NoMailbox */
function knownMailboxOf(stored: string): string {
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
