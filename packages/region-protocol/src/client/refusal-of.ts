/** What a region says when it refuses. */
import { regionProblem } from '../schemas.ts'
import { boundedText, longestRefusal } from './bounded-text.ts'
import { RegionRefusal } from './errors.ts'

/** The refusal in an answer that is not a success; reads its body. */
export async function refusalOf(response: Response): Promise<RegionRefusal> {
  const found = regionProblem.safeParse(await jsonOf(response))
  if (!found.success)
    return new RegionRefusal(response.status, 'about:blank', `The region answered ${response.status}.`)
  return new RegionRefusal(response.status, found.data.type, found.data.detail)
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await boundedText(response, longestRefusal))
  } catch {
    return null
  }
}
