/** The part of a file that a request asks for (RFC 9110, Range and If-Range). */
import { refuse, withHeaders } from '../refuse.ts'

export interface RequestedFile {
  /** Bytes. */
  size: number
  /** Includes the quotes; changes with the content. */
  etag: string
}

/**
 * @returns first and last byte; null: the whole file, which also answers requests for several parts, or for a part of a
 * file that has changed since (If-Range)
 * @throws Refusal `range-not-satisfiable`
 */
export function requestedRange(
  header: (name: string) => string | undefined,
  { size, etag }: RequestedFile,
): { start: number; end: number } | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header('range')?.replaceAll(' ', '') ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return null
  if ((header('if-range') ?? etag) !== etag) return null
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start <= end) return { start, end }
  throw withHeaders(refuse('range-not-satisfiable', { size }), { 'content-range': `bytes */${size}` })
}
