import { useTranslation } from 'react-i18next'

/** As useMessages of the rooms' form, for what schema, rules and server say about an import. */
export function useImportMessages(): (english: string) => string {
  const { i18n } = useTranslation('databases')
  const known: unknown = i18n.getResource(i18n.language, 'databases', 'messages')
  const sentences = new Map(Object.entries(known ?? {}))
  return (english) => {
    const found: unknown = sentences.get(english)
    return typeof found === 'string' ? found : english
  }
}
