import type { Role } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import classes from './FailureText.module.css'

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
