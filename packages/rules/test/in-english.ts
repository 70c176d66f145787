import { englishError, type FieldError } from '@roomkeeper/contract'

/** Each field with what people are told about it in English. */
export function inEnglish(errors: readonly FieldError[]): { field: string; message: string }[] {
  return errors.map((each) => ({ field: each.field, message: englishError(each) }))
}
