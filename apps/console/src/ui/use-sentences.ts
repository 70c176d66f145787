import { useTranslation } from 'react-i18next'

/**
 * Rules, schemas and the server say in English what is wrong; a locale file holds their sentences as keys of
 * `messages`.
 * @returns a function that gives the sentence in the operator's language, or as it is when it is not known.
 */
export function useSentences(
  namespace: 'form' | 'databases' | 'regions' | 'migrations' | 'operators',
): (english: string) => string {
  const { i18n } = useTranslation(namespace)
  const known: unknown = i18n.getResource(i18n.language, namespace, 'messages')
  const sentences = new Map(Object.entries(known ?? {}))
  return (english) => {
    const found: unknown = sentences.get(english)
    return typeof found === 'string' ? found : english
  }
}
