/**
 * The indexes of searched texts hold several fields, joined by a separator. So they find not only a text in any of them,
 * but one with which a field begins or ends: the text together with the separator beside it.
 */
import type { Operator } from './condition.ts'
import { separator } from './fields.ts'

/** A text as an index of joined fields holds it. */
export interface FramedText {
  /** Together with the separators that must stand beside it. */
  text: string
  /** Whether the joined fields must begin, or end, with it. */
  isFirst: boolean
  isLast: boolean
}

/** A text that may stand anywhere. */
export function anywhere(text: string): FramedText {
  return { text, isFirst: false, isLast: false }
}

/**
 * What all rooms hold for which the comparison with the field is true.
 * @param columns those that the index joins, in its order, one of which is `column`
 */
export function framed(value: string, operator: Operator, column: string, columns: readonly string[]): FramedText {
  const atStart = operator === 'starts' || operator === 'equals'
  const atEnd = operator === 'ends' || operator === 'equals'
  const isFirst = atStart && column === columns[0]
  const isLast = atEnd && column === columns.at(-1)
  const before = atStart && !isFirst ? separator : ''
  const after = atEnd && !isLast ? separator : ''
  return { text: `${before}${value}${after}`, isFirst, isLast }
}
