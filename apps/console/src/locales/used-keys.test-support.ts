/** The keys of the locale files that the console's sources use. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface UsedKeys {
  /**
   * Whether a string in the console's sources is this key, or a template that the key matches. Keys that come from
   * other packages and are looked up unchanged (`stepTitles.…`, `attempts.…`, `did.…`) must be strings of the server or a package.
   */
  mentions(namespace: string, key: string): boolean
}

const repository = join(import.meta.dirname, '../../../..')
const lookedUp = /^(stepTitles|attempts|did|processes)\./
/** Of nested templates, the innermost. */
const literals = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`$\\]|\\.|\$(?!\{)|\$\{[^`{}]*\})*)`/g

export function readUsedKeys(): UsedKeys {
  const codes = sources('apps/console/src')
  const called = new Set(codes.flatMap((code) => [...code.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, key = '']) => key)))
  const isConsoles = mentionedIn(codes)
  const isOthers = mentionedIn(
    ['apps/server/src', 'packages/contract/src', 'packages/region-protocol/src', 'packages/rules/src'].flatMap(sources),
  )
  return {
    mentions(namespace, key) {
      const text = key.replace(lookedUp, '')
      if (text !== key) return isOthers(text) || isConsoles(text)
      const parents = key.split('.').map((_, depth, parts) => parts.slice(0, depth).join('.'))
      return [key, ...parents.filter((parent) => called.has(parent))].some(
        (each) => isConsoles(each) || isConsoles(`${namespace}:${each}`),
      )
    },
  }
}

function mentionedIn(codes: readonly string[]): (text: string) => boolean {
  const texts = new Set<string>()
  for (const code of codes) collectTexts(code, texts)
  const patterns = [...texts].filter((text) => text.includes('${')).flatMap(patternOf)
  return (text) => texts.has(text) || patterns.some((pattern) => pattern.test(text))
}

function sources(folder: string): string[] {
  const path = join(repository, folder)
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test(-support)?\.|\.gen\.|\.d\.ts$/.test(file))
    .map((file) => readFileSync(join(path, file), 'utf8'))
}

function collectTexts(code: string, texts: Set<string>): void {
  for (const [, single, double, template] of code.matchAll(literals)) texts.add(single ?? double ?? template ?? '')
}

/** Only for templates specific enough to be the name of a key: with more than placeholders and dots. */
function patternOf(template: string): RegExp[] {
  const parts = template.split(/\$\{[^}]*\}/)
  if (!/[a-zA-Z]{2}/.test(parts.join(''))) return []
  const escaped = parts.map((part) => part.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&'))
  return [new RegExp(`^${escaped.join('.*')}$`)]
}
