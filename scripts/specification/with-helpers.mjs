/** What a test says and does by the functions and values of its own file, and of the files that this one imports. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const deepest = 3
const files = new Map()

/** @returns the text, and those of all declarations that it mentions */
export function withHelpers(text, path) {
  const found = new Set()
  collect(text, path, deepest, found)
  return [text, ...found].join('\n')
}

function collect(text, path, depth, found) {
  if (depth === 0) return
  const { declarations, imports } = readDeclarations(path)
  for (const name of new Set(text.match(/\b[a-zA-Z_]\w+\b/g) ?? [])) {
    const at = declarations.has(name) ? path : imports.get(name)
    const helper = at === undefined ? undefined : readDeclarations(at).declarations.get(name)
    if (helper === undefined || found.has(helper)) continue
    found.add(helper)
    collect(helper, at, depth - 1, found)
  }
}

function readDeclarations(path) {
  const known = files.get(path)
  if (known !== undefined) return known
  const code = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const read = { declarations: declarationsOf(code), imports: importsOf(code, path) }
  files.set(path, read)
  return read
}

/** Of the file itself and of its groups of tests, each until the next line that is not indented more, but for what closes. */
function declarationsOf(code) {
  const lines = code.split('\n')
  return new Map(
    lines.flatMap((line, index) => {
      const [, indentation, name] = /^( {0,2})(?:export )?(?:async )?(?:function|const) (\w+)/.exec(line) ?? []
      if (name === undefined) return []
      const goesOn = new RegExp(`^$|^${indentation}(?: |[})\\]])`)
      const length = lines.slice(index + 1).findIndex((next) => !goesOn.test(next))
      return [[name, lines.slice(index, length === -1 ? lines.length : index + 1 + length).join('\n')]]
    }),
  )
}

function importsOf(code, path) {
  const lists = [...code.matchAll(/import\s*\{([^}]*)\}\s*from '(\.[^']+)'/g)]
  return new Map(
    lists.flatMap(([, names, from]) =>
      names.split(',').map((name) => [name.trim().replace(/^type /, ''), resolve(dirname(path), from)]),
    ),
  )
}
