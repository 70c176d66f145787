import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** Gives a step's title in the operator's language by its id, or the server's title if the id is unknown. */
export type StepTitle = (id: string | null, title: string) => string

export function useStepTitles(): StepTitle {
  const { i18n } = useTranslation('operations')
  const { language } = i18n
  return useMemo(() => {
    const known: unknown = i18n.getResource(language, 'operations', 'stepTitles')
    const titles = new Map<string | null, unknown>(Object.entries(known ?? {}))
    return (id, title) => {
      const found = titles.get(id)
      return typeof found === 'string' ? found : title
    }
  }, [i18n, language])
}
