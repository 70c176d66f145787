/** Finds the statements that `queryRows` runs, and the types that the source claims for their rows and values. */
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { columnOf } from '#platform/column-names.ts'
import { consoleColumns } from '#rooms/records/console-record.ts'
import { createdColumns, editableColumns, fieldColumns } from '#rooms/room-field-columns.ts'
import { Evaluator, Unknown, type Value } from './evaluate.test-support.ts'

export interface Statement {
  /** `rooms/find-room.ts:12` */
  place: string
  texts: string[]
  /** The fields of a row; null: the statement's rows are not read, or by a caller that says what they are. */
  row: { fields: ts.Symbol[] } | null
  /** The types of the values; null: not known here. */
  values: ts.Type[] | null
}

export interface Found {
  checker: ts.TypeChecker
  statements: Statement[]
  /** The places of statements that only the running program composes, each with what is not known of it. */
  composed: string[]
}

export function findStatements(folder: string): Found {
  const config = ts.findConfigFile(folder, ts.sys.fileExists) ?? ''
  const { options } = ts.getParsedCommandLineOfConfigFile(
    join(dirname(config), 'tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  ) ?? { options: {} }
  const files = ts.sys.readDirectory(folder, ['.ts'], ['**/*.test.ts', '**/*.test-support.ts'])
  const program = ts.createProgram(files, options)
  const checker = program.getTypeChecker()
  const sources = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder))
  const evaluator = new Evaluator(checker, sources, known(folder))
  const found: Found = { checker, statements: [], composed: [] }
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText()
      if (called === 'queryRows') note(node, node.arguments.slice(1), rowOf(node, checker))
      // Outside kysely the rows have the columns' own names.
      else if (/\b(pool|client)\.query$/.test(called) && node.typeArguments)
        note(node, node.arguments, plainRowOf(node, checker))
      else if (called.endsWith('.execute') && isBuilt(node, checker))
        found.composed.push(`${placeOf(node)} not run by queryBuilt`)
    }
    ts.forEachChild(node, visit)
  }
  const placeOf = (node: ts.Node) => {
    const source = node.getSourceFile()
    return `${relative(folder, source.fileName)}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
  }
  const note = (call: ts.CallExpression, given: readonly ts.Expression[], row: Statement['row']) => {
    const place = placeOf(call)
    const [text, values] = given
    if (text === undefined) return
    try {
      const texts = evaluator.textsOf(text)
      found.statements.push({ place, texts, row, values: valuesOf(values, checker) })
    } catch (error) {
      if (!(error instanceof Unknown)) throw error
      if (call.expression.getText() === 'queryRows') found.composed.push(`${place} ${error.message}`)
    }
  }
  for (const source of sources) visit(source)
  return found
}

/** Whether it runs what kysely's `sql` has made, other than `queryBuilt` does, which translates the names of columns. */
function isBuilt({ expression, arguments: [db] }: ts.CallExpression, checker: ts.TypeChecker): boolean {
  if (!ts.isPropertyAccessExpression(expression) || db === undefined) return false
  const isInside = expression.getSourceFile().fileName.endsWith('/platform/database.ts')
  return !isInside && checker.getTypeAtLocation(expression.expression).symbol?.name === 'RawBuilder'
}

function known(folder: string): ReadonlyMap<string, Value> {
  return new Map<string, Value>([
    [`${folder}/platform/column-names.ts columnOf`, (name) => columnOf(String(name))],
    [`${folder}/rooms/records/console-record.ts consoleColumns`, [...consoleColumns]],
    [`${folder}/rooms/room-field-columns.ts fieldColumns`, [...fieldColumns]],
    [`${folder}/rooms/room-field-columns.ts createdColumns`, createdColumns],
    [`${folder}/rooms/room-field-columns.ts editableColumns`, editableColumns],
  ])
}

function plainRowOf({ typeArguments }: ts.CallExpression, checker: ts.TypeChecker): Statement['row'] {
  const [node] = typeArguments ?? []
  return node === undefined ? null : { fields: checker.getPropertiesOfType(checker.getTypeFromTypeNode(node)) }
}

function rowOf(call: ts.CallExpression, checker: ts.TypeChecker): Statement['row'] {
  const signature = checker.getResolvedSignature(call)
  const promised = signature && checker.getAwaitedType(signature.getReturnType())
  const [type] = promised === undefined ? [] : checker.getTypeArguments(promised as ts.TypeReference)
  if (type === undefined || type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any | ts.TypeFlags.TypeParameter))
    return null
  return { fields: checker.getPropertiesOfType(type) }
}

function valuesOf(values: ts.Expression | undefined, checker: ts.TypeChecker): ts.Type[] | null {
  if (values === undefined) return []
  if (!ts.isArrayLiteralExpression(values) || values.elements.some(ts.isSpreadElement)) return null
  return values.elements.map((each) => checker.getTypeAtLocation(each))
}
