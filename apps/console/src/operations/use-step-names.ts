import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/**
 * The server names its steps in English; the locale file holds these names as keys.
 * @returns a function that gives a step's name in the operator's language, or as it is when it is not known.
 */
export function useStepNames(): (english: string) => string {
  const { i18n } = useTranslation('operations')
  const { language } = i18n
  return useMemo(() => {
    const known: unknown = i18n.getResource(language, 'operations', 'stepNames')
    const names = new Map(Object.entries(known ?? {}))
    return (english) => {
      const found: unknown = names.get(english)
      return typeof found === 'string' ? found : english
    }
  }, [i18n, language])
}
