import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { readToken } from '#api/token.ts'
import { SignInForm } from './SignInForm.tsx'
import classes from './SignInPage.module.css'

const signInPath = '/project/operator'
const checkMilliseconds = 1000

/** The operator login: a centred card. An operator who signs in in another tab comes back in this one, too. */
export function SignInPage() {
  const { t } = useTranslation(['session', 'app'])
  const titleId = useId()
  const router = useRouter()
  const navigate = useNavigate()
  const returnTo = useRouterState({ select: (state) => state.location.state.returnTo })
  const isBusy = useRef(false)

  async function goOn() {
    // This page stays in sight while the next one is drawn. A look in that time would lead elsewhere.
    if (router.state.location.pathname !== signInPath) return
    if (returnTo?.startsWith('/project/')) await navigate({ href: returnTo, replace: true })
    else await navigate({ to: '/project/administration', replace: true })
  }
  async function goOnAfterSignIn(secondFactorNext: boolean) {
    if (!secondFactorNext) return goOn()
    await navigate({ to: '/project/mfa_okta', state: returnTo === undefined ? {} : { returnTo } })
  }
  const follow = useEffectEvent(async () => {
    if (isBusy.current || readToken() === null) return
    isBusy.current = true
    try {
      const { hasSignedInElsewhere } = await import('./session.ts')
      if (await hasSignedInElsewhere()) await goOn()
    } finally {
      isBusy.current = false
    }
  })
  useEffect(() => {
    // Without the server no sign-in is found; the next check may reach it.
    const timer = setInterval(() => void follow().catch(() => undefined), checkMilliseconds)
    return () => clearInterval(timer)
  }, [])
  const noteBusy = (is: boolean) => {
    isBusy.current = is
  }
  return (
    <main className={classes.page}>
      <title>{t('app:pageTitle', { page: t('title') })}</title>
      <SignInForm titleId={titleId} onSignedIn={goOnAfterSignIn} onBusy={noteBusy} />
    </main>
  )
}
