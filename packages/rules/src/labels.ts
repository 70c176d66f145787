/** The colours of labels, and changes of a room's labels. Case does not matter. */
import { isSameLabel, type LabelColour, labelColours } from '@roomkeeper/contract'

/** Computed from the text, so that it is the same everywhere and need not be stored. */
export function colourOfLabel(label: string): LabelColour {
  // FNV-1a
  let hash = 0x811c9dc5
  for (const character of label.toLowerCase()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return labelColours[(hash >>> 0) % labelColours.length] as LabelColour
}

export interface LabelChange {
  add: string[]
  remove: string[]
}

/** A label that the room has keeps its spelling. One that is both added and removed is added. */
export function labelsWith(labels: readonly string[], { add, remove }: LabelChange): string[] {
  const isIn = (label: string, list: readonly string[]) => list.some((each) => isSameLabel(each, label))
  const kept = labels.filter((each) => isIn(each, add) || !isIn(each, remove))
  return [...kept, ...add.filter((each) => !isIn(each, kept))]
}
