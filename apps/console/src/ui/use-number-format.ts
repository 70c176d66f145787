import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** Numbers as the chosen language writes them. */
export function useNumberFormat(): Intl.NumberFormat {
  const { i18n } = useTranslation()
  const language = i18n.language
  return useMemo(() => new Intl.NumberFormat(language), [language])
}
