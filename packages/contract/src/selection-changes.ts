import type { CodedReason } from './coded-text.ts'
import type { Problem } from './problem.ts'
import { because } from './reasons.ts'

/** Which project rooms have come to a selection and gone from it, where a refusal says so. */
export function selectionChanges({ added = [], removed = [] }: Problem): CodedReason[] {
  const names = (rooms: readonly string[]) => ({ rooms: rooms.join(', ') })
  return [
    ...(added.length > 0 ? [because('selection-added', names(added))] : []),
    ...(removed.length > 0 ? [because('selection-removed', names(removed))] : []),
  ]
}
