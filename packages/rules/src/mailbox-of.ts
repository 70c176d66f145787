/**
 * The address that an e-mail to this text goes to: the text itself, or what is in the brackets of
 * `Owner <owner@example.com>`. The fields for addresses take anything with an @ in it, as the specification says, but an
 * e-mail goes to one mailbox, and of a list, a space or a colon mail servers make other ones.
 * @returns null when no mailbox can have it
 */
export function mailboxOf(text: string): string | null {
  const address = (/^[^<>]*<([^<>]*)>$/.exec(text.trim())?.[1] ?? text).trim()
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, Math.max(0, at)), address.slice(at + 1)]
  const isMailbox = (dotAtom.test(local) || quoted.test(local)) && domain.length <= 253 && hostName.test(domain)
  return isMailbox && new TextEncoder().encode(local).length <= 64 ? address : null
}

/** RFC 5321 and 6531: letters of any script, and what a name may have without quotes. */
const character = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]"
const dotAtom = new RegExp(`^${character}+(\\.${character}+)*$`, 'u')
const quoted = /^"([^"\\\p{Cc}]|\\["\\ ])+"$/u
const label = '[\\p{L}\\p{N}]([\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?'
const hostName = new RegExp(`^(${label}(\\.${label})*|\\[[0-9a-fA-F.:]+\\]|\\[IPv6:[0-9a-fA-F.:]+\\])$`, 'u')
