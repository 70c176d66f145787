import { englishError } from '@roomkeeper/contract'
import type { FormErrors } from '#ui/form/resource-form.ts'
import de from './de/errors.json' with { type: 'json' }

/** The English texts of errors, by the path of the field. */
export function inEnglish(errors: FormErrors): Record<string, string> {
  const told = Object.entries(errors).map(([path, error]) => {
    return [path, typeof error === 'string' ? error : englishError(error)] as const
  })
  return Object.fromEntries(told)
}

/** The codes for which there is no German text. */
export function missingInGerman(errors: FormErrors): string[] {
  const codes = Object.values(errors).map((error) => (typeof error === 'string' ? error : error.code))
  return codes.filter((code) => !Object.hasOwn(de.fields, code))
}
