/** Well-formed API tokens that no server has made, by their form as the documents describe it. */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function apiTokenText(): string {
  const text = `rk_${randomBytes(32).toString('base64url')}`
  const places = [5, 4, 3, 2, 1, 0].map((power) => Math.floor(crc32(text) / 62 ** power) % 62)
  return text + places.map((place) => digits[place]).join('')
}
