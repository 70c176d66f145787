/**
 * The console's languages. Their keys (`mcp_ui` is English) name the folders under locales and stand in the
 * cookie; inside, i18next and Intl get proper language tags.
 */
import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { readCookie, writeCookie } from '#ui/cookies.ts'

export const localeKeys = ['mcp_ui', 'de'] as const
export type LocaleKey = (typeof localeKeys)[number]
export const defaultLocale: LocaleKey = 'mcp_ui'

/** Every language in its own words, so that it can be found by whoever needs it. */
export const localeNames: Readonly<Record<LocaleKey, { name: string; short: string }>> = {
  mcp_ui: { name: 'English', short: 'EN' },
  de: { name: 'Deutsch', short: 'DE' },
}

const tagOf: Readonly<Record<LocaleKey, string>> = { mcp_ui: 'en', de: 'de' }
const cookieMaxAgeSeconds = 500 * 24 * 60 * 60
const files = import.meta.glob<Record<string, unknown>>('../locales/*/*.json', { import: 'default' })

/** Loads the words of the language in the cookie. Call once, before the first render. */
export async function startLanguage(): Promise<void> {
  i18next.on('languageChanged', (tag) => document.documentElement.setAttribute('lang', tag))
  await i18next
    .use(localeFiles)
    .use(initReactI18next)
    .init({
      lng: tagOf[savedLocale()],
      fallbackLng: tagOf[defaultLocale],
      load: 'currentOnly',
      ns: ['app', 'session'],
      defaultNS: 'app',
      interpolation: { escapeValue: false },
      returnNull: false,
    })
}

export function currentLocale(): LocaleKey {
  return localeKeys.find((key) => tagOf[key] === i18next.language) ?? defaultLocale
}

/** Switches without a reload and remembers the choice. */
export async function chooseLocale(key: LocaleKey): Promise<void> {
  writeCookie('language', key, cookieMaxAgeSeconds)
  writeCookie('language_secure', key, cookieMaxAgeSeconds, true)
  await i18next.changeLanguage(tagOf[key])
}

function savedLocale(): LocaleKey {
  const saved = readCookie('language') ?? readCookie('language_secure')
  return localeKeys.find((key) => key === saved) ?? defaultLocale
}

const localeFiles: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(tag, namespace, done) {
    const key = localeKeys.find((each) => tagOf[each] === tag)
    const load = files[`../locales/${key}/${namespace}.json`]
    if (load === undefined) return done(new Error(`There is no locale file for ${tag} ${namespace}.`), false)
    load().then(
      (words) => done(null, words),
      (error: Error) => done(error, true),
    )
  },
}
