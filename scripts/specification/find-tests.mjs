/**
 * Finds what shows a requirement: a mark (`// shows: <id>, <id>`) above a test or a group of tests, or, for a text of
 * the specifications, a test file that has the text.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const tests = [
  '{apps,packages,bench}/**/*.test.{ts,tsx}',
  'apps/*/test/**/*.ts',
  'e2e/**/*.ts',
  'packages/region-protocol/src/conformance/checks/*-checks.ts',
]
/** What may follow a mark: a test, a group, or a check of the conformance kit. */
const marked = /^\s*(test|it|describe|\{)/
const longText = 24

/**
 * @typedef {object} Requirement
 * @property {string} id
 * @property {string} [text] what must be true
 * @property {string} [says] a text of the specification, with placeholders in braces
 * @property {string} [in] a pattern for the files that count for that text
 */

/** @returns {{ file: string, text: string }[]} */
export function readTestFiles(root) {
  const options = { cwd: root, exclude: (name) => /^(node_modules|dist|fixtures)$/.test(name) }
  const files = new Set(tests.flatMap((pattern) => globSync(pattern, options)))
  return [...files].sort().map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
}

/** @returns {{ id: string, place: string, isAboveTest: boolean }[]} */
export function marksIn({ file, text }) {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const [, ids] = /^\s*\/\/ shows: (.+)$/.exec(line) ?? []
    if (ids === undefined) return []
    const next = lines.slice(index + 1).find((each) => !/^\s*(\/\/|$)/.test(each)) ?? ''
    return ids.split(/,\s*/).map((id) => ({ id, place: `${file}:${index + 1}`, isAboveTest: marked.test(next) }))
  })
}

/** @param {Requirement} requirement @returns {boolean} */
export function hasText({ file, text }, requirement) {
  if (requirement.says === undefined || !new RegExp(requirement.in ?? '').test(file)) return false
  return patternOf(requirement.says).test(text)
}

/** A short text must be the whole of what is quoted, because elsewhere it may mean something else. */
function patternOf(says) {
  const parts = says.split(/\{\w+\}/).map((part) => RegExp.escape(part.trim()).replaceAll('\\x27', `\\\\?['’]`))
  if (parts.join('').length === 0) throw new Error(`There is no text in ${says}.`)
  const isLong = says.replace(/\{\w+\}/g, '').length >= longText
  return isLong ? new RegExp(parts.join('.{0,80}')) : new RegExp(`['"\`/^>]${parts.join('.*')}[.:…]?[$'"\`/]`)
}
