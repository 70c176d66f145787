/**
 * The language of the console. Its key is in two cookies (one for https only); inside, i18next and Intl get proper
 * language tags.
 */
import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { readCookie, writeCookie } from '#ui/cookies.ts'
import { defaultLocale, fetchTexts, isBuiltIn, type LocaleKey, tagOf } from './languages.ts'

const cookieMaxAgeSeconds = 500 * 24 * 60 * 60
const files = import.meta.glob<Record<string, unknown>>('./*/*.json', { import: 'default' })

let current: LocaleKey = defaultLocale

/** Loads the texts of the language in the cookie. Call once, before the first render. */
export async function startLanguage(): Promise<void> {
  i18next.on('languageChanged', (tag) => document.documentElement.setAttribute('lang', tag))
  current = await savedLocale()
  await i18next
    .use(localeFiles)
    .use(initReactI18next)
    .init({
      lng: tagOf(current),
      fallbackLng: tagOf(defaultLocale),
      load: 'currentOnly',
      ns: ['app', 'session', ...(current === defaultLocale ? [] : ['errors'])],
      defaultNS: 'app',
      interpolation: { escapeValue: false },
      returnNull: false,
    })
  // Until a page has one of its own.
  document.title = i18next.t('app:title')
}

export function currentLocale(): LocaleKey {
  return current
}

/** Switches without a reload and remembers the choice. */
export async function chooseLocale(key: LocaleKey): Promise<void> {
  writeCookie('language', key, cookieMaxAgeSeconds)
  writeCookie('language_secure', key, cookieMaxAgeSeconds, true)
  current = key
  // What the server refuses comes in English; its words in other languages must be there whenever it does.
  await i18next.loadNamespaces('errors')
  await i18next.changeLanguage(tagOf(key))
}

async function savedLocale(): Promise<LocaleKey> {
  const saved = readCookie('language') ?? readCookie('language_secure') ?? defaultLocale
  if (isBuiltIn(saved)) return saved
  return fetchTexts(saved).then(
    () => saved,
    () => defaultLocale,
  )
}

const localeFiles: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(tag, namespace, done) {
    load(tag === tagOf(current) ? current : defaultLocale, namespace).then(
      (texts) => done(null, texts),
      (error: Error) => done(error, false),
    )
  },
}

async function load(key: LocaleKey, namespace: string): Promise<Record<string, unknown>> {
  // An added language may be incomplete; English fills the gaps.
  if (!isBuiltIn(key)) return (await fetchTexts(key))[namespace] ?? {}
  if (key === defaultLocale && namespace === 'errors') return (await import('./english-errors.ts')).englishErrors
  const file = files[`./${key}/${namespace}.json`]
  if (file === undefined) throw new Error(`There is no locale file for ${key} ${namespace}.`)
  return file()
}
