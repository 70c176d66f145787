/**
 * The languages: the server lists them, and serves the texts of each as one file. Those that existed when the console
 * was built are part of the build, in small files; the others are fetched whole.
 */
import type { Language } from '@roomkeeper/contract'

/** A folder under locales, or a language that was added on the server; `mcp_ui` is English. */
export type LocaleKey = string
export const defaultLocale: LocaleKey = 'mcp_ui'

const built = [
  ...new Set(Object.keys(import.meta.glob('./*/app.json')).flatMap((path) => /^\.\/(\w+)\//.exec(path)?.[1] ?? [])),
]

export function isBuiltIn(key: LocaleKey): boolean {
  return built.includes(key)
}

/** For i18next, Intl and `lang`. */
export function tagOf(key: LocaleKey): string {
  return key === defaultLocale ? 'en' : key.replaceAll('_', '-')
}

/** The name of every language in that language. */
export function nameOf(key: LocaleKey): string {
  const tag = tagOf(key)
  try {
    const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? key
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
  } catch {
    // Not the name of any language: shown as it is.
    return key
  }
}

/** Such as `EN`. */
export function shortNameOf(key: LocaleKey): string {
  return tagOf(key).slice(0, 2).toUpperCase()
}

let request: Promise<Language[]> | null = null

/** In the server's order; the built-in ones if it does not answer. */
export function languages(): Promise<Language[]> {
  request ??= ask().catch(() => {
    request = null
    return built.map((localeKey) => ({ localeKey, file: '' }))
  })
  return request
}

async function ask(): Promise<Language[]> {
  const answer = await fetch('/api/customer/languages')
  if (!answer.ok) throw new Error(`The languages could not be loaded: ${answer.status}.`)
  return (await answer.json()) as Language[]
}

type Texts = Record<string, Record<string, unknown>>
const fetched = new Map<LocaleKey, Promise<Texts>>()

/** All texts of a language that is not built in, by namespace. */
export function fetchTexts(key: LocaleKey): Promise<Texts> {
  const known = fetched.get(key)
  if (known !== undefined) return known
  const texts = languages().then(async (all) => {
    const found = all.find(({ localeKey }) => localeKey === key)
    const answer = found === undefined ? undefined : await fetch(found.file)
    if (answer?.ok !== true) throw new Error(`There are no words of ${key}.`)
    return (await answer.json()) as Texts
  })
  fetched.set(key, texts)
  texts.catch(() => fetched.delete(key))
  return texts
}
