import { errorsAtMost, type FieldError, fieldError } from '@roomkeeper/contract'

/**
 * The texts in a decoded input that no column of the database can keep: with the character U+0000, or with half a
 * character (a lone surrogate). Looked for in one place for all calls, keys of records included.
 * @returns at most `errorsAtMost` errors, each with the path of its field
 */
export function unstorableTexts(input: unknown): FieldError[] {
  const errors: FieldError[] = []
  const visit = (value: unknown, field: string): void => {
    if (errors.length >= errorsAtMost) return
    if (typeof value === 'string') {
      if (value.includes('\0')) errors.push(fieldError(field, 'text-has-nul'))
      else if (!value.isWellFormed()) errors.push(fieldError(field, 'text-half-character'))
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        const path = field === '' ? name : `${field}.${name}`
        visit(name, path)
        visit(inner, path)
      }
    }
  }
  if (holdsUnstorable(input)) visit(input, '')
  return errors
}

/** Without the paths of fields, which take ten times as long: few inputs hold such a text, and some hold 100,000 others. */
function holdsUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (Array.isArray(value)) return value.some(holdsUnstorable)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => holdsUnstorable(name) || holdsUnstorable(inner))
}
