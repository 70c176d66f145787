/** Sends e-mail by SMTP, or writes it as .eml files into the outbox folder when no SMTP server is set. */
import { join } from 'node:path'
import { makeFolder, replaceFile } from '@roomkeeper/durable-file'
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

/** @throws when the mail could not be handed to the mail server or written to the outbox */
export type SendMail = (mail: Mail) => Promise<void>

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
    to: { name: '', address: addressOf(to) },
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
    socketTimeout: 20_000,
  } as object)
  return async (mail) => {
    await transport.sendMail(compose(mail))
  }
}

/** The stored address is not that of one mailbox: no other try would help. */
export class NoMailbox extends Error {}

/**
 * The fields for addresses take anything with an @ in it, but a mail goes to one mailbox: to the address itself, or to
 * the one in `Owner <owner@example.com>`. @throws NoMailbox when the text is neither, such as a list
 */
function addressOf(stored: string): string {
  const address = /^[^<>]*<([^<>]*)>$/.exec(stored.trim())?.[1] ?? stored.trim()
  if (!bareAddress.test(address)) throw new NoMailbox('This is not the address of one mailbox.')
  return address
}

/** Of spaces, commas, semicolons, brackets and quotes a mail server makes other mailboxes. */
const bareAddress = /^[^\s,;<>()"\\]+@[^\s,;<>()"\\]+$/

async function writeToOutbox(outbox: string, id: string, mail: SendMailOptions): Promise<void> {
  const { message } = await mailLibrary().createTransport({ streamTransport: true, buffer: true }).sendMail(mail)
  await makeFolder(outbox, 0o700)
  // The file must survive a power cut, because the mail is not sent again.
  await replaceFile(join(outbox, `${id}.eml`), message as Buffer)
}
