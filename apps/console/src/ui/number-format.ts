/** Numbers with the separators of a language. Without React, because texts are loaded before any page. */
const formats = new Map<string, Intl.NumberFormat>()

/** Numbers as a language writes them. */
export function numberFormat(language: string): Intl.NumberFormat {
  const format = formats.get(language) ?? newFormat(language)
  formats.set(language, format)
  return format
}

/** A language that was added on the server may have a name that is no language tag. */
function newFormat(language: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(language)
  } catch {
    return new Intl.NumberFormat('en')
  }
}

/** What is put into a text: numbers as its language writes them, anything else as it is. */
export function inLanguage<Value>(value: Value, language: string): Value | string {
  return typeof value === 'number' ? numberFormat(language).format(value) : value
}
