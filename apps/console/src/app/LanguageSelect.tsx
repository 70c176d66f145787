import { use } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseLocale, currentLocale } from './language.ts'
import { languages, nameOf, tagOf } from './languages.ts'

/** The language menu for pages that stand without Mantine. */
export function LanguageSelect({ className }: { className: string | undefined }) {
  const { t } = useTranslation('app')
  const known = use(languages())
  return (
    <select
      className={className}
      aria-label={t('language')}
      value={currentLocale()}
      onChange={(event) => void chooseLocale(event.currentTarget.value)}
    >
      {known.map(({ localeKey }) => (
        <option key={localeKey} value={localeKey} lang={tagOf(localeKey)}>
          {nameOf(localeKey)}
        </option>
      ))}
    </select>
  )
}
