/**
 * Reads the tests of the repository with TypeScript's parser: file, name, marks and function of each. The checks of the
 * region protocol's conformance kit count as tests.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'

const testFiles = ['{apps,packages,bench}/**/*.test.{ts,tsx}', 'e2e/**/*.spec.ts', 'scripts/**/*.test.mjs']
const conformanceChecks = 'packages/region-protocol/src/conformance/checks/*-checks.ts'
const isTestCode = (path) => /\.(test|spec)\.tsx?$|(^|\/)test\/|^e2e\/|\/conformance\/check/.test(path)

/**
 * @typedef {object} Test
 * @property {string} file path from the root of the repository
 * @property {string} name including the names of its groups
 * @property {string[]} marks the ids of `// shows: …` above it or above its groups
 * @property {ts.Node} body
 * @property {Map<string, ts.Node>} tables the cases from which its parameters, or those of its groups, are taken
 * @property {Module} module
 *
 * @typedef {object} Module
 * @property {Map<string, ts.Node[]>} declarations of functions and values at the top of the file and of its groups
 * @property {Map<string, () => { node: ts.Node, module: Module }[]>} imports from test code, never from the product
 */

/** @returns {Test[]} in order of files and lines */
export function readTests(root) {
  const modules = new Map()
  const read = (path) => {
    if (!modules.has(path)) modules.set(path, readModule(root, path, read))
    return modules.get(path)
  }
  const options = { cwd: root, exclude: (name) => /^(node_modules|dist|fixtures)$/.test(name) }
  return [...testFiles, conformanceChecks]
    .flatMap((pattern) => globSync(pattern, options).sort())
    .flatMap((file) =>
      testsBelow(read(file).source, { file, module: read(file), names: [], marks: [], tables: new Map() }),
    )
}

function readModule(root, path, read) {
  const text = readFileSync(join(root, path), 'utf8')
  const module = { declarations: new Map(), imports: new Map(), source: undefined }
  module.source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  for (const statement of module.source.statements) {
    if (ts.isImportDeclaration(statement)) addImports(statement, { root, path, module, read })
  }
  addDeclarations(module.source, module.declarations)
  return module
}

function addImports(statement, { root, path, module, read }) {
  const from = statement.moduleSpecifier.text
  const target = normalize(join(dirname(path), from))
  const bindings = statement.importClause?.namedBindings
  if (!from.startsWith('.') || !isTestCode(target) || !existsSync(join(root, target)) || bindings === undefined) return
  if (!ts.isNamedImports(bindings)) return
  for (const { name, propertyName } of bindings.elements) {
    module.imports.set(name.text, () => {
      const other = read(target)
      return (other.declarations.get((propertyName ?? name).text) ?? []).map((node) => ({ node, module: other }))
    })
  }
}

/** Adds functions and values that are declared in the node or below it, except in tests. @returns the map */
export function addDeclarations(node, found) {
  const add = (name, value) => void found.set(name, [...(found.get(name) ?? []), value])
  const visit = (child) => {
    if (ts.isFunctionDeclaration(child) && child.name !== undefined) {
      add(child.name.text, child)
      return
    }
    if (ts.isVariableDeclaration(child) && child.initializer !== undefined) addNames(child.name, child.initializer, add)
    if (ts.isForOfStatement(child) && ts.isVariableDeclarationList(child.initializer)) {
      for (const { name } of child.initializer.declarations) addNames(name, child.expression, add)
    }
    if (ts.isCallExpression(child) && testKind(child) === 'test') return
    ts.forEachChild(child, visit)
  }
  ts.forEachChild(node, visit)
  return found
}

function addNames(name, value, add) {
  if (ts.isIdentifier(name)) add(name.text, value)
  else for (const element of name.elements) if (!ts.isOmittedExpression(element)) addNames(element.name, value, add)
}

function testsBelow(node, around) {
  const found = []
  const visit = (child) => {
    const kind = ts.isCallExpression(child) ? testKind(child) : undefined
    if (kind !== undefined) found.push(...testsOfCall(child, kind, around))
    else if (around.file.includes('/conformance/') && isCheck(child)) found.push(testOfCheck(child, around))
    else ts.forEachChild(child, visit)
  }
  ts.forEachChild(node, visit)
  return found
}

/** `test('…', …)`, `it.each(…)('…', …)`, `describe('…', …)` and so on. */
function testKind(call) {
  let callee = call.expression
  const members = []
  while (!ts.isIdentifier(callee)) {
    if (ts.isPropertyAccessExpression(callee)) members.push(callee.name.text)
    else if (!ts.isCallExpression(callee)) return undefined
    callee = callee.expression
  }
  const isCalled = call.arguments.some(
    (each) => ts.isArrowFunction(each) || ts.isFunctionExpression(each) || ts.isIdentifier(each),
  )
  if (!isCalled || call.arguments.length < 2) return undefined
  if (callee.text === 'describe' || (callee.text === 'test' && members.includes('describe'))) return 'group'
  const modifiers = ['each', 'for', 'skipIf', 'runIf', 'fails', 'concurrent', 'only', 'sequential']
  return ['test', 'it'].includes(callee.text) && members.every((each) => modifiers.includes(each)) ? 'test' : undefined
}

function testsOfCall(call, kind, around) {
  const body = call.arguments.findLast(
    (each) => ts.isArrowFunction(each) || ts.isFunctionExpression(each) || ts.isIdentifier(each),
  )
  const inside = {
    ...around,
    names: [...around.names, nameOf(call.arguments[0])],
    marks: [...around.marks, ...marksAbove(call)],
    tables: new Map([...around.tables, ...tablesOf(call, body)]),
  }
  if (kind === 'group') return testsBelow(body, inside)
  const { file, module, names, marks, tables } = inside
  return [{ file, module, name: names.join(' › '), marks, tables, body }]
}

/** The parameters of the function of `it.each(table)('…', (a, b) => …)`. */
function tablesOf(call, body) {
  const table = ts.isCallExpression(call.expression) ? call.expression.arguments[0] : undefined
  if (table === undefined || body.parameters === undefined) return []
  const names = new Map()
  for (const { name } of body.parameters) addNames(name, table, (each, value) => names.set(each, value))
  return names
}

function isCheck(node) {
  return (
    ts.isObjectLiteralExpression(node) &&
    propertyOf(node, 'name') !== undefined &&
    propertyOf(node, 'run') !== undefined
  )
}

function testOfCheck(node, { file, module, marks, tables }) {
  const own = marksIn(module.source.text, node.pos)
  return {
    file,
    module,
    name: nameOf(propertyOf(node, 'name')),
    marks: [...marks, ...own],
    tables,
    body: propertyOf(node, 'run'),
  }
}

function propertyOf(node, name) {
  const property = node.properties.find((each) => each.name?.text === name)
  return property === undefined ? undefined : (property.initializer ?? property)
}

function nameOf(node) {
  return ts.isStringLiteralLike(node) ? node.text : node.getText().replace(/^`|`$/g, '')
}

function marksAbove(call) {
  let statement = call
  while (!ts.isExpressionStatement(statement) && statement.parent !== undefined) statement = statement.parent
  return marksIn(call.getSourceFile().text, statement.pos)
}

/** The ids of `// shows: id, id` in the comments at the position. */
function marksIn(text, position) {
  const comments = (ts.getLeadingCommentRanges(text, position) ?? []).map(({ pos, end }) => text.slice(pos, end))
  return comments.flatMap((comment) => /^\/\/ shows: (.+)$/.exec(comment)?.[1].split(/,\s*/) ?? [])
}
