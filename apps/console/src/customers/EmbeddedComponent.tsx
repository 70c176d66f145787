import type { CustomerPage } from '@roomkeeper/contract'
import { createElement } from 'react'
import { useTranslation } from 'react-i18next'
import { elementName } from './load-component.ts'

/** Told which page it is and which language is spoken. */
export function EmbeddedComponent({ page }: { page: CustomerPage }) {
  const { t, i18n } = useTranslation(['customers', 'app'])
  return (
    <main>
      <title>{t('app:pageTitle', { page: t(`${page}.title`) })}</title>
      {createElement(elementName, { page, lang: i18n.language })}
    </main>
  )
}
