/** Reduces the fifteen filter conditions to eight operators and a negation. */
import { type FilterCondition, filterConditions } from '@roomkeeper/contract'

export type Operator = 'equals' | 'contains' | 'starts' | 'ends' | 'less' | 'at-most' | 'more' | 'at-least'

/** Compares the wire form of a field as text, whatever the field's type. */
export type TextOperator = Extract<Operator, 'contains' | 'starts' | 'ends'>

/**
 * Matches a field for which the comparison holds with at least one of the values; if negated, with none of them. For an
 * empty field no comparison holds except equality with the empty value.
 */
export interface Condition {
  operator: Operator
  isNegated: boolean
  /** At least one. */
  values: string[]
}

/** @returns null if no condition has this name */
export function parseCondition(name: string, value: string): Condition | null {
  const known = filterConditions.find((each) => each === name)
  if (known === undefined) return null
  const isNegated = known === 'NOT_EQUALS' || known === 'NOT_CONTAINS' || known === 'IS_NOT'
  return { operator: operatorOf(known), isNegated, values: value.split('||') }
}

export function comparesText(operator: Operator): operator is TextOperator {
  return operator === 'contains' || operator === 'starts' || operator === 'ends'
}

/** Both in lower case. */
export function holdsPart(text: string, operator: TextOperator, part: string): boolean {
  switch (operator) {
    case 'contains':
      return text.includes(part)
    case 'starts':
      return text.startsWith(part)
    case 'ends':
      return text.endsWith(part)
  }
}

function operatorOf(condition: FilterCondition): Operator {
  switch (condition) {
    case 'EQUALS':
    case 'NOT_EQUALS':
    case 'IN':
    case 'IS':
    case 'IS_NOT':
      return 'equals'
    case 'CONTAINS':
    case 'NOT_CONTAINS':
      return 'contains'
    case 'STARTS_WITH':
      return 'starts'
    case 'ENDS_WITH':
      return 'ends'
    case 'LT':
    case 'BEFORE':
      return 'less'
    case 'LTE':
      return 'at-most'
    case 'GT':
    case 'AFTER':
      return 'more'
    case 'GTE':
      return 'at-least'
  }
}
