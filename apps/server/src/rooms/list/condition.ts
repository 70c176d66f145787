/** The fifteen filter conditions, brought down to eight operators and a negation. */
import { type FilterCondition, filterConditions } from '@roomkeeper/contract'

export type Operator = 'equals' | 'contains' | 'starts' | 'ends' | 'less' | 'at-most' | 'more' | 'at-least'

/**
 * True when the comparison holds for one of the values; negated: for none. For an empty field no comparison holds,
 * except that it equals the empty value.
 */
export interface Condition {
  operator: Operator
  isNegated: boolean
  /** At least one. */
  values: string[]
}

/** @returns null for a name that is not a condition */
export function parseCondition(name: string, value: string): Condition | null {
  const known = filterConditions.find((each) => each === name)
  if (known === undefined) return null
  const isNegated = known === 'NOT_EQUALS' || known === 'NOT_CONTAINS' || known === 'IS_NOT'
  return { operator: operatorOf(known), isNegated, values: value.split('||') }
}

/** Operators that look at the wire form of a field as text, whatever its type. */
export function comparesText(operator: Operator): operator is 'contains' | 'starts' | 'ends' {
  return operator === 'contains' || operator === 'starts' || operator === 'ends'
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
