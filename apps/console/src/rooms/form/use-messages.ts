import { useTranslation } from 'react-i18next'

/**
 * Rules, schemas and the server say in English what is wrong; the locale file holds their sentences as keys.
 * @returns a function that gives the sentence in the operator's language, or as it is when it is not known.
 */
export function useMessages(): (english: string) => string {
  const { i18n } = useTranslation('form')
  const known: unknown = i18n.getResource(i18n.language, 'form', 'messages')
  const sentences = new Map(Object.entries(known ?? {}))
  return (english) => {
    const found: unknown = sentences.get(english)
    return typeof found === 'string' ? found : english
  }
}
