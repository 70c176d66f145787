import { checkRegionLogin, type Role } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { Link } from '@tanstack/react-router'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { textOfReasons } from '#locales/error-texts.ts'
import classes from './FailureText.module.css'

type Reasons = Parameters<typeof textOfReasons>[0]

interface FailureTextProps {
  reasons: Reasons
  /** The server's own text, where it has told no reasons, or some that this console does not know. */
  text: string
  /** Called when the link is followed: closes a dialog that would cover the region's settings. */
  onLeave?: (() => void) | undefined
}

/**
 * Why something failed, in words. Where a region refused its stored login, the next step leads an operator who may
 * change its settings to them.
 */
export function FailureText({ reasons, text, onLeave }: FailureTextProps) {
  useTranslation('operations')
  const { role } = useOperator()
  const refused = tellRefusedLogin(reasons, text)
  if (refused === null) return textOfReasons(reasons, text)
  const { what, after } = refused
  return (
    <>
      {what} <CheckLogin role={role} onLeave={onLeave} />
      {after !== '' && ` ${after}`}
    </>
  )
}

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

interface CheckLoginProps {
  role: Role
  onLeave?: (() => void) | undefined
  /** How the link looks; by default in the colour of the text around it. */
  className?: string | undefined
}

/**
 * The next step after a region refused its stored login: its settings or, for an operator who may not change them, whom
 * to ask.
 */
export function CheckLogin({ role, onLeave, className = classes.link }: CheckLoginProps) {
  const { t } = useTranslation('operations')
  if (!roleAllows(role, 'admin')) return t('refusedLogin.ask')
  return (
    <Link
      to="."
      search={(search) => ({ ...search, cloud: 'regions' as const })}
      className={className ?? ''}
      onClick={onLeave}
    >
      {t('refusedLogin.check')}
    </Link>
  )
}
