import type { textOfReasons } from '#ui/coded-text.ts'

type Reasons = Parameters<typeof textOfReasons>[0]

interface RefusedLogin {
  region: string
  /** What the reasons say before and after it. */
  before: Reasons
  after: Reasons
}

/** Finds out whether a region refused its stored login. @returns null if none of the reasons says so */
export function findRefusedLogin(reasons: Reasons): RefusedLogin | null {
  const at = reasons.findIndex(({ code }) => code === 'region-refused-login' || code === 'move-region-refuses-login')
  const region = reasons[at]?.params.region
  if (region === undefined || typeof region === 'object') return null
  return { region: String(region), before: reasons.slice(0, at), after: reasons.slice(at + 1) }
}
