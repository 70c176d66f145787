/**
 * Breaks a function that is found by its name, so that changes around it do not matter. There must be one such place.
 */
import ts from 'typescript'

/**
 * @param {object} mutation
 * @param {string} mutation.function its name
 * @param {string} [mutation.without] a name or a text in quotes: the innermost statement that mentions it is removed
 * @param {string} [mutation.returns] an expression: the function does nothing but return it
 * @param {string} text of the file
 * @returns {string} the text with the mutation
 */
export function breakFunction(mutation, text) {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const bodies = functionsNamed(source, mutation.function).map(({ body }) => body)
  if (mutation.returns !== undefined) {
    const body = only(bodies, `function ${mutation.function}`)
    return replaced(text, body, ts.isBlock(body) ? `{ return ${mutation.returns} }` : `(${mutation.returns})`)
  }
  const mentions = bodies.flatMap((body) => statementsMentioning(body, mutation.without))
  const statement = only(mentions, `statement with ${mutation.without} in ${mutation.function}`)
  return replaced(text, statement, '{}')
}

function functionsNamed(source, name) {
  const found = []
  const visit = (node) => {
    const isNamed = (node.name ?? node.parent?.name)?.getText(source) === name
    if (ts.isFunctionLike(node) && node.body !== undefined && isNamed) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function statementsMentioning(body, wanted) {
  const found = new Set()
  const visit = (node, statement) => {
    if ((ts.isIdentifier(node) || ts.isStringLiteral(node)) && node.text === wanted) found.add(statement)
    const inner = ts.isStatement(node) && !ts.isBlock(node) ? node : statement
    ts.forEachChild(node, (child) => visit(child, inner))
  }
  visit(body, undefined)
  return [...found]
}

function only(found, what) {
  if (found.length !== 1 || found[0] === undefined) throw new Error(`There is not one ${what}, but ${found.length}.`)
  return found[0]
}

function replaced(text, node, code) {
  return text.slice(0, node.getStart()) + code + text.slice(node.end)
}
