import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { textOfReasons } from '#ui/coded-text.ts'
import { CheckLogin } from './CheckLogin.tsx'
import { tellRefusedLogin } from './refused-login.ts'

interface FailureTextProps {
  reasons: Parameters<typeof textOfReasons>[0]
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
