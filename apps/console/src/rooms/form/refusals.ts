/** What a form shows of a refused call, and where. */
import { type FieldError, ProblemError, type RefusalCode } from '@roomkeeper/contract'

/** Where the form shows a refusal that names no field itself. */
export type PlacesOfRefusals = Partial<Record<RefusalCode, string>>

/** The fields that a failed call points at; none when it is about something else. */
export function refusedFields(error: unknown, places: PlacesOfRefusals): readonly FieldError[] {
  if (!(error instanceof ProblemError)) return []
  if (error.problem.errors !== undefined) return error.problem.errors
  const field = places[error.code as RefusalCode]
  return field === undefined ? [] : [{ field, message: error.problem.detail }]
}

/** The server's own words, if it found some. */
export function serversWords(error: unknown): string | null {
  return error instanceof ProblemError && error.problem.type !== 'about:blank' ? error.problem.detail : null
}
