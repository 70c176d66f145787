/**
 * The language of the console and the list of languages. The server lists the languages and serves the texts of each
 * as one file. The languages known at build time are part of the build, in small files; others are fetched whole. Two
 * cookies (one for https only) hold the key of the chosen language. i18next and Intl get proper language tags.
 */
import type { Language } from '@roomkeeper/contract'
import i18next, { type BackendModule, type FormatterModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { readCookie, writeCookie } from '#api/cookies.ts'
import { inLanguage } from './number-format.ts'

/** The name of a folder under locales, or of a language added on the server. `mcp_ui` is English. */
type LocaleKey = string
const defaultLocale: LocaleKey = 'mcp_ui'

const built = [
  ...new Set(Object.keys(import.meta.glob('./*/app.json')).flatMap((path) => /^\.\/(\w+)\//.exec(path)?.[1] ?? [])),
]

function isBuiltIn(key: LocaleKey): boolean {
  return built.includes(key)
}

/** The language tag for i18next, Intl and the `lang` attribute. */
export function tagOf(key: LocaleKey): string {
  return key === defaultLocale ? 'en' : key.replaceAll('_', '-')
}

/** The name of a language in that language. */
export function nameOf(key: LocaleKey): string {
  const tag = tagOf(key)
  try {
    const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? key
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
  } catch {
    // The key is not a language tag: show it as it is.
    return key
  }
}

/** For example `EN`. */
export function shortNameOf(key: LocaleKey): string {
  return tagOf(key).slice(0, 2).toUpperCase()
}

let request: Promise<Language[]> | null = null

/** The languages in the server's order, or the built-in ones if the server does not answer. */
export function languages(): Promise<Language[]> {
  request ??= ask().catch(() => {
    request = null
    return built.map((localeKey) => ({ localeKey, file: '' }))
  })
  return request
}

async function ask(): Promise<Language[]> {
  const answer = await fetch('./api/customer/languages')
  if (!answer.ok) throw new Error(`The languages could not be loaded: ${answer.status}.`)
  return (await answer.json()) as Language[]
}

type Texts = Record<string, Record<string, unknown>>
const fetched = new Map<LocaleKey, Promise<Texts>>()

/** All texts of a language that is not built in, by namespace. */
function fetchTexts(key: LocaleKey): Promise<Texts> {
  const known = fetched.get(key)
  if (known !== undefined) return known
  const texts = languages().then(async (all) => {
    const found = all.find(({ localeKey }) => localeKey === key)
    const answer = found === undefined ? undefined : await fetch(`.${found.file}`)
    if (answer?.ok !== true) throw new Error(`There are no words of ${key}.`)
    return (await answer.json()) as Texts
  })
  fetched.set(key, texts)
  texts.catch(() => fetched.delete(key))
  return texts
}

const cookieMaxAgeSeconds = 500 * 24 * 60 * 60
const files = import.meta.glob<Record<string, unknown>>('./*/*.json', { import: 'default' })

let current: LocaleKey = defaultLocale

/** Loads the texts of the language in the cookie. Call once, before the first render. */
export async function startLanguage(): Promise<void> {
  i18next.on('languageChanged', (tag) => document.documentElement.setAttribute('lang', tag))
  current = await savedLocale()
  await i18next
    .use(localeFiles)
    .use(formatter)
    .use(initReactI18next)
    .init({
      lng: tagOf(current),
      fallbackLng: tagOf(defaultLocale),
      load: 'currentOnly',
      ns: ['app', 'session', ...(current === defaultLocale ? [] : ['errors'])],
      defaultNS: 'app',
      interpolation: { escapeValue: false, alwaysFormat: true },
      returnNull: false,
    })
  // The title until a page sets its own.
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
  // The server's refusals are in English. Their translations must be loaded before a refusal arrives.
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

/** No text names a format: a number that is not to be written as one is given as text. */
const formatter: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value, _, language) => inLanguage(value, language ?? i18next.language),
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
  // An added language may be incomplete. English fills the gaps.
  if (!isBuiltIn(key)) return (await fetchTexts(key))[namespace] ?? {}
  if (key === defaultLocale && namespace === 'errors') return (await import('./english-errors.ts')).englishErrors
  const file = files[`./${key}/${namespace}.json`]
  if (file === undefined) throw new Error(`There is no locale file for ${key} ${namespace}.`)
  return file()
}
