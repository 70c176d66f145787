/** The colours of labels, and what becomes of a room's labels. Upper and lower case are the same everywhere. */
import { isSameLabel, type LabelColour, labelColours } from '@roomkeeper/contract'

/** It follows from the text, so that it is the same everywhere and is kept nowhere. */
export function colourOfLabel(label: string): LabelColour {
  let hash = 0x811c9dc5
  // FNV-1a
  for (const character of label.toLowerCase()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return labelColours[(hash >>> 0) % labelColours.length] as LabelColour
}

interface LabelChange {
  add: readonly string[]
  remove: readonly string[]
}

/** A label that the room has stays as it is written there. One that is both added and removed is added. */
export function labelsWith(labels: readonly string[], { add, remove }: LabelChange): string[] {
  const isIn = (label: string, list: readonly string[]) => list.some((each) => isSameLabel(each, label))
  const kept = labels.filter((each) => isIn(each, add) || !isIn(each, remove))
  return [...kept, ...add.filter((each) => !isIn(each, kept))]
}
