/** What the region and a process for work apart tell each other. */
import type { RefusalCode } from '#refusals.ts'

export interface ToApart {
  name: string
  input: unknown
  memoryBytes: number
}

export type FromApart = { progress: number } | { tooMuch: true } | { result: unknown } | { error: ToldError }

export interface ToldError {
  /** null: it was not expected. */
  refusal: { code: RefusalCode; fields: Record<string, string | number> } | null
  message: string
  stack: string
  /** By which a full disk is known. */
  codes: { code?: unknown; errcode?: unknown }
}
