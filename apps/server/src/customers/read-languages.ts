/** Reads the languages of the console. Each is a folder with one file of texts per namespace. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fieldErrorTexts, otherAnswers, reasonTexts, refusals } from '@roomkeeper/contract'

export interface Language {
  /** The name of the folder. */
  key: string
  /** The path under which this server serves it. */
  path: string
  /** JSON that maps namespaces to texts. */
  words: string
}

const defaultKey = 'mcp_ui'
/** The English error texts come from the contract instead of a file. */
const englishErrors = { fields: fieldErrorTexts, reasons: reasonTexts, refusals, otherAnswers }

/** @returns the default language first, the others ordered by key */
export async function readLanguages(localesDir: string): Promise<Language[]> {
  const folders = (await readdir(localesDir, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const keys = folders.map(({ name }) => name).sort()
  const ordered = [...keys.filter((key) => key === defaultKey), ...keys.filter((key) => key !== defaultKey)]
  return Promise.all(ordered.map((key) => readLanguage(localesDir, key)))
}

async function readLanguage(localesDir: string, key: string): Promise<Language> {
  const folder = join(localesDir, key)
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  const entries = await Promise.all(
    files.map(async (name) => [name.replace(/\.json$/, ''), JSON.parse(await readFile(join(folder, name), 'utf8'))]),
  )
  if (key === defaultKey) entries.push(['errors', englishErrors])
  const texts = Object.fromEntries(entries.sort(([a], [b]) => String(a).localeCompare(String(b))))
  return { key, path: `/languages/${key}.json`, words: JSON.stringify(texts) }
}
