/** Fills parameters into texts and joins sentences, in any language. */

const gap = /\{\{(\w+)\}\}([”“"]?)(\.?)/g
const endsSentence = /[.!?…]$/

const plural = /\[\[(\w+):([^|\]]*)\|([^\]]*)\]\]/g

/**
 * `[[minutes:minute|minutes]]` is the first for 1 and the second for other numbers. A full stop of the text is left
 * out after a parameter that ends with one.
 * @param write a value in the reader's language
 */
export function fillInValues(
  text: string,
  values: Readonly<Record<string, string | number>>,
  write: (value: string | number) => string = String,
): string {
  const inNumber = text.replace(plural, (_, name: string, one: string, other: string) =>
    Number(values[name]) === 1 ? one : other,
  )
  return inNumber.replace(gap, (_, name: string, quote: string, stop: string) => {
    const value = write(values[name] ?? '')
    return `${value}${quote}${endsSentence.test(value) ? '' : stop}`
  })
}

const needsStop = /[^.!?…:;]$/
const closingQuote = /[”“"]$/

/** One text of several sentences: each but the last gets a full stop if it ends without one. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences
    .map((text, index) => {
      const isLast = index === sentences.length - 1
      return !isLast && needsStop.test(text.replace(closingQuote, '')) ? `${text}.` : text
    })
    .join(' ')
}
