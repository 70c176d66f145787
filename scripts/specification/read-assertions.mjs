/**
 * What a test asserts: its expectations, and the clicks and entries that fail in the browser when nothing has that
 * name. Assertions in test helpers that it calls count too, with the values passed to them. The product's own code is
 * never read.
 */
import ts from 'typescript'
import { addDeclarations } from './read-tests.mjs'

const deepest = 3
const acts = /^(check|click|dblclick|fill|hover|press|pressSequentially|selectOption|setInputFiles|uncheck)$/
const expectations = /^(expect|until$)/
const absent = /^(toBeHidden|toBeEmpty)$/
const present = /^toBe(Checked|Disabled|Enabled|Focused)$/

/**
 * @typedef {object} Assertion
 * @property {string} line as written in the test
 * @property {Set<string>} texts the strings and patterns in it, and in the values and locators that it names
 * @property {Set<string>} farTexts those in the helpers that it calls; a call may use only some of them
 * @property {boolean} isOwn whether it is in the test itself, not in a helper
 */

/** @returns {Assertion[]} */
export function assertionsOf(test) {
  const found = []
  const scope = { module: test.module, locals: new Map([...test.tables].map(([name, node]) => [name, [node]])) }
  visitFunction(test.body, scope, 0, found, new Set())
  return found
}

function visitFunction(body, scope, depth, found, visited) {
  if (ts.isIdentifier(body)) {
    for (const { node, module } of resolve(body.text, scope)) visitHelper(node, { module }, depth, found, visited)
    return
  }
  const inner = { ...scope, locals: addDeclarations(body, new Map(scope.locals)) }
  const visit = (node) => {
    if (!ts.isCallExpression(node)) return ts.forEachChild(node, visit)
    if (isAssertion(node)) found.push(assertion(node, inner, depth === 0))
    else if (ts.isIdentifier(node.expression) && depth < deepest) {
      const before = found.length
      for (const { node: helper, module } of resolve(node.expression.text, inner)) {
        visitHelper(helper, { module }, depth + 1, found, visited)
      }
      // What is passed to an asserting helper is asserted.
      if (found.length > before || visited.has(node.expression.text)) found.push(assertion(node, inner, depth === 0))
    }
    ts.forEachChild(node, visit)
  }
  visit(body)
}

function visitHelper(node, { module }, depth, found, visited) {
  if (!isFunction(node) || visited.has(node)) return
  visited.add(node)
  const before = found.length
  visitFunction(node, { module, locals: new Map() }, depth, found, visited)
  const name = node.name?.text ?? node.parent?.name?.text
  if (found.length > before && name !== undefined) visited.add(name)
}

/** `expect(…).…` as a whole, `expectEqual(…)`, `page.getBy….click()`; but nothing about absence. */
function isAssertion(call) {
  const members = []
  let root = call
  while (ts.isCallExpression(root) || ts.isPropertyAccessExpression(root)) {
    if (ts.isPropertyAccessExpression(root)) members.push(root.name.text)
    root = root.expression
  }
  if (ts.isPropertyAccessExpression(call.parent) || (members.length === 0 && !ts.isIdentifier(root))) return false
  if (members[0] === 'toHaveCount' && call.arguments[0]?.getText() === '0') return false
  if (ts.isIdentifier(root) && expectations.test(root.text)) {
    const isMatcher = /^(any|anything|(object|array|string)\w+)$/.test(members.at(-1) ?? '')
    const isNegative = members.includes('not') && !present.test(members[0])
    return !isMatcher && !isNegative && !absent.test(members[0] ?? '')
  }
  return acts.test(members[0] ?? '')
}

function assertion(node, scope, isOwn) {
  const evidence = { texts: new Set(), farTexts: new Set() }
  collect(node, scope, deepest, evidence, new Set())
  const from = node.getSourceFile()
  const { line } = from.getLineAndCharacterOfPosition(node.getStart())
  return { line: `${from.fileName}:${line + 1} ${node.getText().replace(/\s+/g, ' ')}`, isOwn, ...evidence }
}

/** The texts of a piece of code, and of the values and helpers that it names. */
function collect(node, scope, depth, evidence, visited) {
  if (ts.isStringLiteralLike(node)) evidence.texts.add(node.text)
  else if (ts.isRegularExpressionLiteral(node)) evidence.texts.add(plain(node.text))
  else if (ts.isTemplateExpression(node)) {
    evidence.texts.add([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'))
  }
  if (ts.isIdentifier(node) && depth > 0 && !isMemberName(node)) {
    for (const { node: value, module } of resolve(node.text, scope)) {
      if (visited.has(value)) continue
      visited.add(value)
      const inner = module === scope.module ? scope : { module, locals: new Map() }
      const locals = isFunction(value) ? addDeclarations(value, new Map(inner.locals)) : inner.locals
      const texts = isFunction(value) && !isOneExpression(value) ? evidence.farTexts : evidence.texts
      collect(value, { module, locals }, depth - 1, { ...evidence, texts }, visited)
    }
  }
  ts.forEachChild(node, (child) => collect(child, scope, depth, evidence, visited))
}

function isMemberName({ parent, ...node }) {
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name.pos === node.pos) ||
    (ts.isPropertyAssignment(parent) && parent.name.pos === node.pos)
  )
}

function isFunction(node) {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node)
}

function isOneExpression({ body }) {
  return !ts.isBlock(body) || (body.statements.length === 1 && ts.isReturnStatement(body.statements[0]))
}

function resolve(name, { module, locals = new Map() }) {
  const here = locals.get(name) ?? module.declarations.get(name)
  return here?.map((node) => ({ node, module })) ?? module.imports.get(name)?.() ?? []
}

/** The text that a pattern stands for. */
function plain(pattern) {
  return pattern
    .replace(/^\/\^?|\$?\/[a-z]*$/g, '')
    .replaceAll(/\.[*+]\??/g, '…')
    .replaceAll(/\\(.)/g, '$1')
}
