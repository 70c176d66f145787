/** What a region says when it refuses. */
import { inForm } from '../bounds.ts'
import { regionProblem } from '../schemas.ts'
import { boundedText, longestRefusal } from './bounded-text.ts'
import { RegionRefusal } from './errors.ts'

/** The refusal in an answer that is not a success; reads its body. */
export async function refusalOf(response: Response): Promise<RegionRefusal> {
  const found = inForm(regionProblem, await jsonOf(response))
  if (found === null)
    return new RegionRefusal(response.status, 'about:blank', `The region answered ${response.status}.`)
  return new RegionRefusal(response.status, found.type, found.detail)
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await boundedText(response, longestRefusal))
  } catch {
    return null
  }
}
