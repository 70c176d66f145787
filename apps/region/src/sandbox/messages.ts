/** The messages between the region and a sandbox. */
import type { RefusalCode } from '#refusals.ts'

export interface TaskMessage {
  name: string
  input: unknown
  memoryBytes: number
}

export type SandboxMessage = { progress: number } | { tooMuch: true } | { result: unknown } | { error: SandboxError }

export interface SandboxError {
  /** Null: an unexpected error. */
  refusal: { code: RefusalCode; fields: Record<string, string | number> } | null
  message: string
  stack: string
  /** The error codes by which a full disk is recognised. */
  codes: { code?: unknown; errcode?: unknown }
}
