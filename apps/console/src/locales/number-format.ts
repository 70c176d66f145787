/** Numbers with the separators of a language. Without React, because texts are loaded before any page. */

const formats = new Map<string, Intl.NumberFormat>()

/** Numbers as a language writes them. */
export function numberFormat(language: string): Intl.NumberFormat {
  const format = formats.get(language) ?? new Intl.NumberFormat(intlTag(language))
  formats.set(language, format)
  return format
}

/** The tag of a language for Intl: one that was added on the server may have a name that is no language tag. */
export function intlTag(language: string): string {
  try {
    return new Intl.Locale(language).toString()
  } catch {
    return 'en'
  }
}

/** What is put into a text: numbers as its language writes them, anything else as it is. */
export function inLanguage<Value>(value: Value, language: string): Value | string {
  return typeof value === 'number' ? numberFormat(language).format(value) : value
}
