import { useTranslation } from 'react-i18next'

/**
 * Rules, schemas and the server say in English what is wrong; a locale file holds their sentences as keys of
 * `messages`. A sentence with names in it has `{{…}}` for each.
 * @returns a function that gives the sentence in the operator's language, or as it is when it is not known.
 */
export function useSentences(
  namespace: 'form' | 'databases' | 'regions' | 'migrations' | 'operators' | 'consistency',
): (english: string) => string {
  const { i18n } = useTranslation(namespace)
  const known: unknown = i18n.getResource(i18n.language, namespace, 'messages')
  return (english) => sentenceIn((known ?? {}) as Readonly<Record<string, unknown>>, english)
}

/** @param known by their English sentences */
export function sentenceIn(known: Readonly<Record<string, unknown>>, english: string): string {
  const found = Object.hasOwn(known, english) ? known[english] : undefined
  if (typeof found === 'string') return found
  for (const [pattern, sentence] of Object.entries(known)) {
    const names = pattern.includes('{{') ? namesIn(pattern, english) : null
    if (names !== null && typeof sentence === 'string')
      return sentence.replace(gap, (whole, name: string) => names[name] ?? whole)
  }
  return english
}

const gap = /\{\{(\w+)\}\}/g

/** Null: the sentence is another one. */
function namesIn(pattern: string, english: string): Record<string, string> | null {
  // What `split` puts between the parts are the names.
  const parts = pattern.split(gap).map((part, index) => (index % 2 === 1 ? `(?<${part}>.+)` : escaped(part)))
  return new RegExp(`^${parts.join('')}$`).exec(english)?.groups ?? null
}

function escaped(text: string): string {
  return text.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&')
}
