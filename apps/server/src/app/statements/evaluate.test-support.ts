/**
 * Evaluates the texts of statements from the source: constants, templates, functions of one expression, and what
 * callers give to a parameter. Each way through a condition is one text.
 */
import ts from 'typescript'

/** The expression needs what is known only when the program runs. */
export class Unknown extends Error {
  constructor(node: ts.Node) {
    super(node.getText().replace(/\s+/g, ' ').slice(0, 80))
  }
}

export type Value = string | number | boolean | null | undefined | Value[] | { [name: string]: Value } | Call
type Call = (...given: Value[]) => Value
type Bindings = ReadonlyMap<ts.Symbol, Value>

const mostWays = 64

export class Evaluator {
  readonly #checker: ts.TypeChecker
  readonly #known: ReadonlyMap<string, Value>
  /** By the name of what is called; several functions may have it. */
  readonly #calls = new Map<string, ts.CallExpression[]>()
  /** The choices of this evaluation: for each place with several values, which of them is taken. */
  #way: { key: string; index: number; count: number }[] = []
  #steps = 0

  /** @param known values that only the running program has, by their file and name */
  constructor(checker: ts.TypeChecker, sources: readonly ts.SourceFile[], known: ReadonlyMap<string, Value>) {
    this.#checker = checker
    this.#known = known
    for (const source of sources) this.#noteCalls(source)
  }

  /** @returns all texts that the expression can have. @throws Unknown */
  textsOf(expression: ts.Expression): string[] {
    this.#way = []
    const texts = new Set<string>()
    for (let ways = 0; ways < mostWays; ways++) {
      this.#steps = 0
      const text = this.#evaluate(expression, new Map())
      if (typeof text !== 'string') throw new Unknown(expression)
      texts.add(text)
      if (!this.#takeNextWay()) return [...texts]
    }
    throw new Unknown(expression)
  }

  #takeNextWay(): boolean {
    for (let last = this.#way.at(-1); last !== undefined; last = this.#way.at(-1)) {
      if (++last.index < last.count) return true
      this.#way.pop()
    }
    return false
  }

  /** Chooses the first value now; `textsOf` evaluates the text again for each of the others. */
  #oneOf<T>(key: string, choices: readonly T[]): T {
    const chosen = this.#way.find((each) => each.key === key)
    if (chosen !== undefined) return choices[chosen.index] as T
    this.#way.push({ key, index: 0, count: choices.length })
    return choices[0] as T
  }

  #noteCalls(node: ts.Node): void {
    if (ts.isCallExpression(node)) {
      const { expression } = node
      const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText()
      this.#calls.set(name, [...(this.#calls.get(name) ?? []), node])
    }
    ts.forEachChild(node, (child) => this.#noteCalls(child))
  }

  #symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.#checker.getSymbolAtLocation(node)
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }

  #evaluate(node: ts.Expression, bound: Bindings): Value {
    if (++this.#steps > 20_000) throw new Unknown(node)
    const of = (inner: ts.Expression): Value => this.#evaluate(inner, bound)
    if (ts.isStringLiteralLike(node)) return node.text
    if (ts.isNumericLiteral(node)) return Number(node.text)
    if (node.kind === ts.SyntaxKind.TrueKeyword) return true
    if (node.kind === ts.SyntaxKind.FalseKeyword) return false
    if (node.kind === ts.SyntaxKind.NullKeyword) return null
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
      return of(node.expression)
    if (ts.isNonNullExpression(node)) return of(node.expression)
    if (ts.isTemplateExpression(node))
      return node.templateSpans.reduce(
        (text, span) => text + asText(of(span.expression), span.expression) + span.literal.text,
        node.head.text,
      )
    if (ts.isBinaryExpression(node)) return this.#operate(node, of)
    if (ts.isConditionalExpression(node))
      return of(this.#isTrue(node.condition, bound) ? node.whenTrue : node.whenFalse)
    if (ts.isArrayLiteralExpression(node))
      return node.elements.flatMap((each) => (ts.isSpreadElement(each) ? (of(each.expression) as Value[]) : [of(each)]))
    if (ts.isObjectLiteralExpression(node)) return this.#object(node, bound)
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return this.#functionOf(node, bound)
    if (ts.isIdentifier(node)) return this.#valueOf(node, bound)
    if (ts.isPropertyAccessExpression(node)) return this.#member(node, bound)
    if (ts.isElementAccessExpression(node)) return this.#element(node, bound)
    if (ts.isCallExpression(node)) return this.#call(node, bound)
    return this.#literalType(node)
  }

  #operate(node: ts.BinaryExpression, of: (inner: ts.Expression) => Value): Value {
    const left = () => of(node.left)
    const right = () => of(node.right)
    switch (node.operatorToken.kind) {
      case ts.SyntaxKind.PlusToken:
        return (left() as number) + (right() as number)
      case ts.SyntaxKind.AsteriskToken:
        return (left() as number) * (right() as number)
      case ts.SyntaxKind.EqualsEqualsEqualsToken:
        return left() === right()
      case ts.SyntaxKind.ExclamationEqualsEqualsToken:
        return left() !== right()
      case ts.SyntaxKind.QuestionQuestionToken:
        return left() ?? right()
      default:
        throw new Unknown(node)
    }
  }

  /** A condition that is not known here is both. */
  #isTrue(condition: ts.Expression, bound: Bindings): boolean {
    try {
      return Boolean(this.#evaluate(condition, bound))
    } catch (error) {
      if (!(error instanceof Unknown)) throw error
    }
    return this.#oneOf(`${condition.getSourceFile().fileName} ${condition.getText()} ${bound.size}`, [true, false])
  }

  #object(node: ts.ObjectLiteralExpression, bound: Bindings): Value {
    const result: { [name: string]: Value } = {}
    for (const each of node.properties) {
      if (ts.isPropertyAssignment(each)) {
        const name = ts.isComputedPropertyName(each.name) ? '' : each.name.text
        // A getter, so that only members that are read are evaluated: others may be unknown.
        Object.defineProperty(result, name, { enumerable: true, get: () => this.#evaluate(each.initializer, bound) })
      } else if (ts.isShorthandPropertyAssignment(each)) {
        const symbol = this.#checker.getShorthandAssignmentValueSymbol(each)
        Object.defineProperty(result, each.name.text, {
          enumerable: true,
          get: () => this.#valueOfSymbol(symbol, each.name, bound),
        })
      } else if (ts.isSpreadAssignment(each)) throw new Unknown(node)
    }
    return result
  }

  #functionOf(node: ts.FunctionLikeDeclaration, bound: Bindings): Call {
    const body = node.body
    if (body === undefined) throw new Unknown(node)
    return (...given) => {
      const inner = new Map(bound)
      for (const [index, parameter] of node.parameters.entries()) this.#bind(parameter, given[index], inner)
      if (!ts.isBlock(body)) return this.#evaluate(body, inner)
      return this.#runBlock(body, inner)
    }
  }

  #bind({ name, initializer }: ts.ParameterDeclaration, given: Value, inner: Map<ts.Symbol, Value>): void {
    const value = given === undefined && initializer !== undefined ? this.#evaluate(initializer, inner) : given
    const set = (identifier: ts.Identifier, member: Value) => {
      const symbol = this.#checker.getSymbolAtLocation(identifier)
      if (symbol !== undefined) inner.set(symbol, member)
    }
    if (ts.isIdentifier(name)) {
      set(name, value)
      return
    }
    for (const [index, each] of name.elements.entries()) {
      if (!ts.isBindingElement(each) || !ts.isIdentifier(each.name)) continue
      const key = ts.isArrayBindingPattern(name) ? index : (each.propertyName ?? each.name).getText()
      set(each.name, (value as { [name: string]: Value })?.[key])
    }
  }

  /** `const`s, and a result that may depend on a condition. */
  #runBlock(block: ts.Block, bound: Bindings): Value {
    for (const statement of block.statements) {
      if (ts.isReturnStatement(statement) && statement.expression) return this.#evaluate(statement.expression, bound)
      if (ts.isIfStatement(statement) && ts.isReturnStatement(statement.thenStatement)) {
        const { expression } = statement.thenStatement
        if (expression && this.#isTrue(statement.expression, bound)) return this.#evaluate(expression, bound)
      } else if (!ts.isVariableStatement(statement)) throw new Unknown(statement)
    }
    throw new Unknown(block)
  }

  #valueOf(node: ts.Identifier, bound: Bindings): Value {
    if (node.text === 'undefined') return undefined
    const symbol = this.#symbolOf(node)
    return this.#valueOfSymbol(symbol, node, bound)
  }

  #valueOfSymbol(symbol: ts.Symbol | undefined, node: ts.Node, bound: Bindings): Value {
    if (symbol !== undefined && bound.has(symbol)) return bound.get(symbol)
    const declaration = symbol?.valueDeclaration
    const known = this.#known.get(`${declaration?.getSourceFile().fileName} ${symbol?.name}`)
    if (known !== undefined) return known
    if (symbol === undefined || declaration === undefined) throw new Unknown(node)
    if (ts.isFunctionDeclaration(declaration)) return this.#functionOf(declaration, new Map())
    if (ts.isVariableDeclaration(declaration) && declaration.initializer)
      return this.#evaluate(declaration.initializer, bound)
    if (ts.isVariableDeclaration(declaration) && ts.isForOfStatement(declaration.parent.parent)) {
      const all = this.#evaluate(declaration.parent.parent.expression, bound)
      if (Array.isArray(all)) return this.#oneOf(`${declaration.getSourceFile().fileName} ${declaration.pos}`, all)
    }
    if (ts.isBindingElement(declaration)) return this.#boundElement(declaration, node, bound)
    if (ts.isParameter(declaration)) return this.#given(declaration, node)
    return this.#literalType(node)
  }

  #boundElement(element: ts.BindingElement, node: ts.Node, bound: Bindings): Value {
    const { parent } = element
    const source = parent.parent
    const key = ts.isArrayBindingPattern(parent)
      ? parent.elements.indexOf(element)
      : (element.propertyName ?? element.name).getText()
    try {
      const whole = ts.isParameter(source)
        ? this.#given(source, node)
        : ts.isVariableDeclaration(source) && source.initializer
          ? this.#evaluate(source.initializer, bound)
          : ts.isVariableDeclaration(source)
            ? this.#loopValue(source, node, bound)
            : undefined
      const member = (whole as { [name: string]: Value } | undefined)?.[key]
      if (member !== undefined) return member
    } catch (error) {
      if (!(error instanceof Unknown)) throw error
    }
    if (element.initializer !== undefined) return this.#evaluate(element.initializer, bound)
    return this.#literalType(node)
  }

  #loopValue(source: ts.VariableDeclaration, node: ts.Node, bound: Bindings): Value {
    const loop = source.parent.parent
    if (!ts.isForOfStatement(loop)) throw new Unknown(node)
    const all = this.#evaluate(loop.expression, bound)
    if (!Array.isArray(all)) throw new Unknown(node)
    return this.#oneOf(`${source.getSourceFile().fileName} ${source.pos}`, all)
  }

  /** What the callers of the function give for the parameter. */
  #given(parameter: ts.ParameterDeclaration, node: ts.Node): Value {
    const called = parameter.parent
    const named = ts.isVariableDeclaration(called.parent) ? called.parent.name : (called as ts.FunctionDeclaration).name
    const symbol = named && this.#symbolOf(named)
    const sameName = this.#calls.get(named?.getText() ?? '') ?? []
    const calls = sameName.filter(({ expression }) => symbol !== undefined && this.#symbolOf(expression) === symbol)
    const position = called.parameters.indexOf(parameter)
    if (calls.length === 0) return this.#literalType(node)
    const call = this.#oneOf(`${called.getSourceFile().fileName} ${called.pos}`, calls)
    const argument = call.arguments[position]
    if (argument !== undefined) return this.#evaluate(argument, new Map())
    if (parameter.initializer !== undefined) return this.#evaluate(parameter.initializer, new Map())
    return undefined
  }

  #member(node: ts.PropertyAccessExpression, bound: Bindings): Value {
    try {
      const whole = this.#evaluate(node.expression, bound)
      const name = node.name.text
      if (Array.isArray(whole) || typeof whole === 'string') return methodOf(whole, name, node)
      if (whole !== null && typeof whole === 'object') return whole[name]
    } catch (error) {
      if (!(error instanceof Unknown)) throw error
    }
    return this.#literalType(node)
  }

  /** If the key is unknown, each member is tried. */
  #element(node: ts.ElementAccessExpression, bound: Bindings): Value {
    const whole = this.#evaluate(node.expression, bound) as { [name: string]: Value }
    try {
      return whole[String(this.#evaluate(node.argumentExpression, bound))]
    } catch (error) {
      if (!(error instanceof Unknown)) throw error
      const key = this.#oneOf(`${node.getSourceFile().fileName} ${node.getText()}`, Object.keys(whole))
      return whole[key]
    }
  }

  #call(node: ts.CallExpression, bound: Bindings): Value {
    const callee = node.expression
    const given = () => node.arguments.map((each) => this.#evaluate(each, bound))
    if (ts.isPropertyAccessExpression(callee) && callee.expression.getText() === 'Object') {
      const [object] = given()
      const how = Object[callee.name.text as 'keys'] as ((of: object) => Value[]) | undefined
      if (how !== undefined && object !== null && typeof object === 'object') return how(object)
    }
    const called = this.#evaluate(callee, bound)
    if (typeof called !== 'function') throw new Unknown(node)
    return called(...given())
  }

  /** An expression whose type is one text or one of several. */
  #literalType(node: ts.Node): Value {
    const type = this.#checker.getTypeAtLocation(node)
    const all = type.isUnion() ? type.types : [type]
    const texts = all.flatMap((each) => (each.isStringLiteral() || each.isNumberLiteral() ? [each.value] : []))
    if (texts.length === 0 || texts.length < all.length) throw new Unknown(node)
    return this.#oneOf(`${node.getSourceFile().fileName} ${node.getText()}`, texts)
  }
}

function asText(value: Value, node: ts.Node): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new Unknown(node)
}

function methodOf(whole: string | Value[], name: string, node: ts.Node): Value {
  const member = (whole as unknown as Record<string, unknown>)[name]
  if (member === undefined) throw new Unknown(node)
  return typeof member === 'function' ? (member.bind(whole) as Call) : (member as Value)
}
