import { useRef } from 'react'

/**
 * The same body keeps its Idempotency-Key for as long as the component is there, so a second click, or another
 * attempt after a lost connection, is answered with the first operation.
 * @returns a function that gives the header for a body
 */
export function useIdempotencyKey(): (body: unknown) => { 'idempotency-key': string } {
  const attempt = useRef({ body: '', key: '' })
  return (body) => {
    const text = JSON.stringify(body)
    if (attempt.current.body !== text) attempt.current = { body: text, key: randomKey() }
    return { 'idempotency-key': attempt.current.key }
  }
}

/** 128 random bits. `crypto.randomUUID` is missing on plain http. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
