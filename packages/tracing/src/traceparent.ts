/** The header by which a trace goes from one program to the next (W3C Trace Context, version 00). */

export interface Traceparent {
  /** 32 hexadecimal digits. */
  traceId: string
  /** 16 hexadecimal digits. */
  spanId: string
  isSampled: boolean
}

const form = /^([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** @returns null if it is missing or not valid: the receiver then begins a trace of its own */
export function readTraceparent(text: string | undefined | null): Traceparent | null {
  const [, version, traceId, spanId, flags = '00', more] = form.exec(text ?? '') ?? []
  if (traceId === undefined || spanId === undefined || version === 'ff') return null
  // Only a later version may have more parts.
  if (version === '00' && more !== undefined) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Whether the sender records the trace, and asks us to do the same. */
export function asksForRecording(text: string | string[] | undefined): boolean {
  return typeof text === 'string' && readTraceparent(text)?.isSampled === true
}

export function writeTraceparent({ traceId, spanId, isSampled }: Traceparent): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
