/** The colour of a label follows from its text, so that it is the same everywhere and is kept nowhere. */
import { type LabelColour, labelColours } from '@roomkeeper/contract'

/** Regardless of upper and lower case. */
export function colourOfLabel(label: string): LabelColour {
  let hash = 0x811c9dc5
  // FNV-1a
  for (const character of label.toLowerCase()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return labelColours[(hash >>> 0) % labelColours.length] as LabelColour
}
