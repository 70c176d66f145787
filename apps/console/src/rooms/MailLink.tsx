import { mailboxOf } from '@roomkeeper/rules'

/** A link only where an e-mail can reach somebody. */
export function MailLink({ to }: { to: string }) {
  const mailbox = mailboxOf(to)
  if (mailbox === null) return to
  return <a href={`mailto:${encodeURIComponent(mailbox).replace('%40', '@')}`}>{to}</a>
}
