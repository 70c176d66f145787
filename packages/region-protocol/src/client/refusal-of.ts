/** What a region says when it refuses. */
import { inForm } from '../bounds.ts'
import { regionProblem } from '../schemas.ts'
import { boundedText, longestRefusal } from './bounded-text.ts'
import { NoRegionAnswers, RegionRefusal, typeOfRegion } from './errors.ts'

/**
 * The refusal in an answer that is not a success; reads its body. What a region does not have, or does not do, it says
 * with a type of its own: whatever stands before it says 404 as well, while nothing is known of the region.
 */
export async function refusalOf(response: Response): Promise<RegionRefusal | NoRegionAnswers> {
  const { status } = response
  const found = inForm(regionProblem, await jsonOf(response))
  if (found !== null && (found.type.startsWith(typeOfRegion) || mayBeOfAnybody(status)))
    return new RegionRefusal(status, found.type, found.detail)
  if (mayBeOfAnybody(status)) return new RegionRefusal(status, 'about:blank', `The region answered ${status}.`)
  return new NoRegionAnswers(status)
}

/** Nothing is concluded from these; and a redirect, or what is too large for a proxy, will be so the next time. */
const mayBeOfAnybody = (status: number) => status < 400 || status >= 500 || status === tooLarge
const tooLarge = 413

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await boundedText(response, longestRefusal))
  } catch {
    return null
  }
}
