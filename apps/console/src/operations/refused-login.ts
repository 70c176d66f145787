import { checkRegionLogin } from '@roomkeeper/contract'
import i18next from 'i18next'
import { textOfReasons } from '#ui/coded-text.ts'

type Reasons = Parameters<typeof textOfReasons>[0]

interface RefusedLogin {
  /** All up to the refusal itself. The next step comes after it. */
  what: string
  /** What follows; mostly nothing. */
  after: string
}

/**
 * What to say where a region refused its stored login, without the next step.
 * @param text the server's own
 * @returns null if none of the reasons says so
 */
export function tellRefusedLogin(reasons: Reasons, text: string): RefusedLogin | null {
  const at = reasons.findIndex(({ code }) => code === 'region-refused-login' || code === 'move-region-refuses-login')
  const region = reasons[at]?.params.region
  if (region === undefined || typeof region === 'object') return null
  const refused = i18next.t('operations:refusedLogin.what', { region })
  const [before, after] = [reasons.slice(0, at), reasons.slice(at + 1)].map((each) =>
    each.length === 0 ? '' : textOfReasons(each, null),
  )
  if (typeof before === 'string' && typeof after === 'string') return { what: `${before} ${refused}`.trim(), after }
  // English texts are not loaded, because the server's are the same.
  const [what = '', ...rest] = text.split(checkRegionLogin)
  return { what: what.trim(), after: rest.join(checkRegionLogin).trim() }
}
