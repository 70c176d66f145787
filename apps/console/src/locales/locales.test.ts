/**
 * The compiler checks (i18next.d.ts) that every used text exists in English. These tests check that the other languages
 * have the same texts, and that no text is unused.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { auditActions, operationStates, processTypeCodes } from '@roomkeeper/contract'
import { expect, test } from 'vitest'
import { englishErrors } from './english-errors.ts'
import { readUsedKeys } from './used-keys.test-support.ts'

type Texts = { [key: string]: string | Texts }

/** There is no such file in English: the English texts of errors are the contract's. */
const errorsFile = 'errors.json'
const locales = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const translations = locales.filter((locale) => locale !== 'mcp_ui')
const english = [...readdirSync(new URL('./mcp_ui', import.meta.url)), errorsFile]

function read(locale: string, file: string): Texts {
  if (locale === 'mcp_ui' && file === errorsFile) return { ...englishErrors, refusals: refusalTexts }
  return JSON.parse(readFileSync(new URL(`./${locale}/${file}`, import.meta.url), 'utf8')) as Texts
}

const refusalTexts = Object.fromEntries(
  Object.entries(englishErrors.refusals).map(([code, { title, detail }]) => [code, { title, detail }]),
)

/** Every key with the parameters of its text: `delete.question {{name}}`. */
function shapeOf(texts: Texts, path = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) => {
    const here = path === '' ? key : `${path}.${key}`
    if (typeof value !== 'string') return shapeOf(value, here)
    return `${here} ${[...value.matchAll(/\{\{\w+\}\}/g)].map(String).sort().join(' ')}`
  })
}

// The reasons on buttons of rooms and live migrations are in the files of their pages, which load no others.
test.each(locales)('a reason is said alike on a button and in a refusal in %s', (locale) => {
  const { reasons, refusals } = read(locale, errorsFile) as { reasons: Texts; refusals: Record<string, Texts> }
  expect(reasons).toMatchObject(read(locale, 'rooms.json').reasons as Texts)
  for (const [code, text] of Object.entries(read(locale, 'migrations.json').reasons as Texts))
    expect(refusals[code]?.detail).toBe(text)
})

test('German is one of the translations', () => {
  expect(translations).toContain('de')
})

test.each(translations)('%s has the files of English', (locale) => {
  expect(readdirSync(new URL(`./${locale}`, import.meta.url)).sort()).toEqual(english.toSorted())
})

const translatedFiles = translations.flatMap((locale) => english.map((file) => [locale, file] as const))

test.each(translatedFiles)('%s %s says everything that English says, with the same values in it', (locale, file) => {
  expect(shapeOf(read(locale, file)).sort()).toEqual(shapeOf(read('mcp_ui', file)).sort())
})

test.each(english)('no text of %s is empty', (file) => {
  const empty = (texts: Texts): boolean =>
    Object.values(texts).some((value) => (typeof value === 'string' ? value.trim() === '' : empty(value)))
  expect(locales.filter((locale) => empty(read(locale, file)))).toEqual([])
})

/** `rooms_one` and `rooms_other` are both the key `rooms`. */
const withoutPlural = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '')

function keysOf(file: string): string[] {
  return shapeOf(read('mcp_ui', file)).map((shape) => withoutPlural(shape.replace(/( \{\{\w+\}\})* *$/, '')))
}

const used = readUsedKeys()

test.each(english)('every text of %s is used somewhere', (file) => {
  const namespace = file.replace(/\.json$/, '')
  expect(keysOf(file).filter((key) => !used.mentions(namespace, key))).toEqual([])
})

test.each(locales)('%s has a name for everything that can be recorded: actions, outcomes and processes', (locale) => {
  const { actions, attempts, groups } = read(locale, 'audit.json') as Record<string, Texts>
  expect(Object.keys(actions ?? {}).sort()).toEqual(auditActions.toSorted())
  expect(Object.keys((read(locale, 'activity.json') as Record<string, Texts>).did ?? {}).sort()).toEqual(
    auditActions.toSorted(),
  )
  expect(Object.keys(attempts ?? {}).filter((each) => !(auditActions as readonly string[]).includes(each))).toEqual([])
  expect(Object.keys(groups ?? {}).sort()).toEqual([...new Set(auditActions.map((each) => each.split('.')[0]))].sort())
  const { outcomes, processes } = read(locale, 'operations.json') as Record<string, Texts>
  expect(Object.keys(outcomes ?? {}).sort()).toEqual(operationStates.toSorted())
  expect(Object.keys(processes ?? {})).toEqual(expect.arrayContaining(Object.keys(processTypeCodes)))
})

/** Words that are not used, because another one means the same: one word for one thing. */
const unused = {
  de: /Vertriebskan|[Ss]uspendier|Inhaber|Produktart|Ablaufdatum|Kennw[oö]rt|Sub-Mining|Mitteilung|KI-Credits|[Ss]cheiter|(?<!Master-)Mandant|Architekt|Geschäftsstrategie|Ansprechpartner|[Uu]mschaltung|Festplatte|[Aa]blage\b|System-Passwort|Video-Kennung|\bId\b|ist überschritten|in der Reihe|auf (der|seiner|ihrer|ihren|den|allen|keiner) Region/,
  mcp_ui: /\b[Ll]icenses?\b/,
}
/** The specifications quote these. */
const quoted = /icense must be more or equal|^This license is obsolete|in licenses\.$/

test.each(['de', 'mcp_ui'] as const)('%s has one word for one thing', (locale) => {
  const textsIn = (texts: Texts): string[] =>
    Object.values(texts).flatMap((each) => (typeof each === 'string' ? [each] : textsIn(each)))
  const all = english.flatMap((file) => textsIn(read(locale, file)))
  expect(all.filter((text) => unused[locale].test(text) && !quoted.test(text))).toEqual([])
})
