import { useTranslation } from 'react-i18next'

/** @returns a function that names a licence or sub-licence by its key; one that it does not know by the key itself. */
export function useLicenceLabel(): (key: string) => string {
  const { t, i18n } = useTranslation('form')
  return (key) => (i18n.exists(`form:licences.${key}`) ? t(`licences.${key as 'YABV'}`) : key)
}
