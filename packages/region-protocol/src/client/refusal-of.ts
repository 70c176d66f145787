/** Reads the refusals of regions. */
import { inForm } from '../bounds.ts'
import { regionProblem } from '../schemas.ts'
import { boundedText, longestRefusal } from './bounded-text.ts'
import { NotARegion, RegionRefusal, refusalTypePrefix } from './errors.ts'

/**
 * The refusal in an answer that is not a success; reads its body. A region's own 404 has a type of the protocol; a
 * proxy answers 404 as well, which says nothing about the region.
 */
export async function refusalOf(response: Response): Promise<RegionRefusal | NotARegion> {
  const { status } = response
  const found = inForm(regionProblem, await jsonOf(response))
  if (found !== null && (found.type.startsWith(refusalTypePrefix) || mayBeOfAnybody(status)))
    return new RegionRefusal(status, found.type, found.detail)
  if (mayBeOfAnybody(status)) return new RegionRefusal(status, 'about:blank', `The region answered ${status}.`)
  return new NotARegion(status)
}

/**
 * From other answers nothing is concluded; and a redirect, or a body too large for a proxy, will not pass the next
 * time.
 */
const mayBeOfAnybody = (status: number) => status < 400 || status >= 500 || status === tooLarge
const tooLarge = 413

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await boundedText(response, longestRefusal))
  } catch {
    return null
  }
}
