/**
 * The form of an API token: `rk_`, 43 characters of chance, and 6 that are a checksum of what stands before them. By it
 * scanners of secrets know tokens that were published by mistake, and the server those that were mistyped.
 */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefix = 'rk_'
const checksumLength = 6
const form = /^rk_[\w-]{43}[0-9A-Za-z]{6}$/
/** One in 262,144 tokens of sessions begins with `rk_`, too. */
const sessionTokenLength = 43

export function newTokenText(): string {
  const text = prefix + randomBytes(32).toString('base64url')
  return text + checksumOf(text)
}

export function isMeantAsApiToken(text: string): boolean {
  return text.startsWith(prefix) && text.length !== sessionTokenLength
}

/** Whether the text has the form that `newTokenText` gives it. A forged token may have it, too. */
export function isWellFormed(text: string): boolean {
  return form.test(text) && checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** CRC-32 to the base of 62. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let written = ''
  for (let place = 0; place < checksumLength; place += 1) {
    written = digits.charAt(rest % digits.length) + written
    rest = Math.floor(rest / digits.length)
  }
  return written
}
