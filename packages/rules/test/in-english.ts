import { englishError, type FieldError } from '@roomkeeper/contract'

/** Each field with its English message. */
export function inEnglish(errors: readonly FieldError[]): { field: string; message: string }[] {
  return errors.map((each) => ({ field: each.field, message: englishError(each) }))
}
