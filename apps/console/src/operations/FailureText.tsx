import { roleAllows } from '@roomkeeper/rules'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { textOfReasons } from '#ui/coded-text.ts'
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
 * Why something failed, in words. Where a region refused its stored login, the next step leads to its settings, for
 * those who may change them.
 */
export function FailureText({ reasons, text, onLeave }: FailureTextProps) {
  const at = reasons.findIndex(isRefusedLogin)
  const region = reasons[at]?.params.region
  if (region === undefined || typeof region === 'object') return textOfReasons(reasons, text)
  const [before, after] = [reasons.slice(0, at), reasons.slice(at + 1)]
  return (
    <>
      {textOfReasons(before, '')} <RefusedLogin region={String(region)} onLeave={onLeave} /> {textOfReasons(after, '')}
    </>
  )
}

function isRefusedLogin({ code }: Reasons[number]): boolean {
  return code === 'region-refused-login' || code === 'move-region-refuses-login'
}

function RefusedLogin({ region, onLeave }: { region: string; onLeave: (() => void) | undefined }) {
  const { t } = useTranslation('operations')
  const { role } = useOperator()
  return (
    <>
      {t('refusedLogin.what', { region })}{' '}
      {roleAllows(role, 'admin') ? (
        <Link
          to="."
          search={(search) => ({ ...search, cloud: 'regions' as const })}
          className={classes.link ?? ''}
          onClick={onLeave}
        >
          {t('refusedLogin.check')}
        </Link>
      ) : (
        t('refusedLogin.ask')
      )}
    </>
  )
}
