/** Why something failed, as it is stored: an English text, and beside it the codes of its sentences. */
import { type CodedReason, englishReasons, type Reasons } from '@roomkeeper/contract'
import { cleanText } from '@roomkeeper/region-protocol'
import { shownParams } from './refuse.ts'

/** In characters: the longest text of a failure, and the most that its reasons say together. */
export const longestText = 10_000

/** The values of the two columns: the text and the JSON of the codes. Some of the words come from regions and stores. */
export function storedReasons(reasons: Reasons): { text: string; codes: string } {
  return { text: cleanText(englishReasons(reasons), longestText), codes: JSON.stringify(shownReasons(reasons)) }
}

/** Reasons whose parameters are clean and not longer than a text. */
export function shownReasons(reasons: Reasons): Reasons {
  const shown: CodedReason[] = []
  let length = 0
  for (const { code, params } of reasons) {
    const each = { code, params: shownParams(params) }
    length += englishReasons([each]).length
    if (shown.length > 0 && length > longestText) break
    shown.push(each)
  }
  return shown
}
