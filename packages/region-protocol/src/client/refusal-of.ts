/** Reads the refusals of regions. */
import { inForm } from '../bounds.ts'
import { regionProblem } from '../schemas.ts'
import { cleanedText } from '../texts.ts'
import { boundedText, longestRefusal } from './bounded-text.ts'
import { NotARegion, RegionRefusal, refusalTypePrefix } from './errors.ts'

/** A type of the protocol is proof enough that the region has answered, whatever else is missing or wrong. */
const toldProblem = regionProblem
  .pick({ type: true })
  .extend({ title: cleanedText.catch(''), detail: cleanedText.catch('') })

/**
 * The error for an unsuccessful answer, whose body it reads. A region's own 4xx has a problem type of the protocol. A
 * 4xx without one, such as a proxy's 404, says nothing about the region.
 */
export async function refusalOf(response: Response): Promise<RegionRefusal | NotARegion> {
  const { status } = response
  const { type, title, detail } = inForm(toldProblem, await jsonOf(response)).data ?? unknownProblem
  const isOfRegion = type.startsWith(refusalTypePrefix)
  if (!isOfRegion && !mayBeOfAnybody(status)) return new NotARegion(status)
  const plain = isOfRegion
    ? `The region refused it (${type.slice(refusalTypePrefix.length)}).`
    : `The region answered ${status}.`
  return new RegionRefusal(status, type, detail || title || plain)
}

const unknownProblem = { type: 'about:blank', title: '', detail: '' }

/**
 * For these statuses it does not matter who answered: callers conclude nothing about the region from them, and a
 * redirect, or a body that is too large for a proxy, will fail the same way next time.
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
