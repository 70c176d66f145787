/** All tests of the repository as texts: where each is, what it is called, what stands in it and in what it uses. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withHelpers } from './with-helpers.mjs'

const folders = ['apps', 'packages', 'e2e']
const start = /^([ \t]*)(?:test|it)((?:\.(?:each|for|skipIf|runIf|fails|concurrent)(?:\([^\n]*?\))?)*)\(/gm

/** @returns {{ file: string, name: string, text: string }[]} in order of files and lines; names with those of their groups */
export function readTests(root) {
  return folders.flatMap((folder) => testFiles(join(root, folder), folder)).flatMap((file) => testsOf(root, file))
}

function testFiles(path, shown) {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) {
      const isForeign = ['node_modules', 'dist', 'test-results'].includes(entry.name)
      return isForeign ? [] : testFiles(join(path, entry.name), `${shown}/${entry.name}`)
    }
    return /\.(test|spec)\.tsx?$/.test(entry.name) ? [`${shown}/${entry.name}`] : []
  })
}

function testsOf(root, file) {
  const code = readFileSync(join(root, file), 'utf8')
  return [...code.matchAll(start)].flatMap((found) => {
    const text = textOf(code, found.index, found[1])
    const own = nameOf(text)
    const marks = marksBefore(code, found.index)
    const whole = () => `${marks}${withHelpers(text, join(root, file))}`.replaceAll("\\'", "'")
    const name = [...groupsAround(code, found.index, found[1].length), own].join(' › ')
    return own === null ? [] : [{ file, name, text: whole() }]
  })
}

/** Until the line that closes it, which is indented like the one that opens it. */
function textOf(code, from, indentation) {
  const lines = code.slice(from).split('\n')
  const closes = new RegExp(`^${indentation}[})\\]].*[^{([,]$`)
  const isOneLine = /\)\s*;?$/.test(lines[0]) && !/[([{]$/.test(lines[0])
  const last = isOneLine ? 0 : lines.findIndex((line, index) => index > 0 && closes.test(line))
  return lines.slice(0, last === -1 ? lines.length : last + 1).join('\n')
}

/** The names of the describes that are open there: those above that are indented less, the nearest of each depth. */
function groupsAround(code, index, depth) {
  const groups = [...code.slice(0, index).matchAll(/^([ \t]*)describe(?:\.\w+)*\(/gm)]
  const names = []
  let inside = depth
  for (const group of groups.reverse()) {
    if (group[1].length >= inside) continue
    inside = group[1].length
    names.unshift(nameOf(code.slice(group.index, index)) ?? '')
  }
  return names
}

/** Its first text after the table of cases, if it has one. */
function nameOf(text) {
  const isTable = /^\s*(?:test|it|describe)\.(?:each|for)/.test(text)
  const after = isTable ? /\)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/s : /\(\s*(['"`])((?:\\.|(?!\1).)*)\1/s
  return after.exec(text)?.[2]?.replaceAll("\\'", "'") ?? null
}

/** `// covers: id, id` in the lines above. */
function marksBefore(code, index) {
  const above = code.slice(0, index).split('\n').slice(0, -1)
  const marks = []
  while (/^\s*\/\/ covers: /.test(above.at(-1) ?? '')) marks.push(above.pop())
  return marks.map((mark) => `${mark}\n`).join('')
}
