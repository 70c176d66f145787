import type { OperatorSession } from '@roomkeeper/contract'
import { useBlocker, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import buttons from '#ui/buttons.module.css'
import { Logo } from '#ui/Logo.tsx'
import classes from './SignInPage.module.css'
import {
  finishSecondFactor,
  hasAnswer,
  SecondFactorError,
  type SecondFactorFailure,
  startSecondFactor,
} from './second-factor.ts'
import { secondFactorPath } from './second-factor-window.ts'
import { announceExpiry, signOut, watchForExpiry } from './session.ts'

/** Sends the operator to the identity provider, and on when they return. Leaving this page otherwise signs out. */
export function SecondFactorPage({ operator }: { operator: OperatorSession }) {
  const { t } = useTranslation(['session', 'app'])
  const { stage, start, startAnew, leave } = useSecondFactor(operator)
  const isBusy = stage === 'starting' || stage === 'finishing'
  return (
    <main className={classes.page}>
      <title>{t('app:pageTitle', { page: t('secondFactor.title') })}</title>
      <div className={classes.card}>
        <Logo size={40} />
        <h1 className={classes.title}>{t('secondFactor.title')}</h1>
        {typeof stage === 'string' ? (
          <p className={classes.note} role="status">
            {t(`secondFactor.${stage}`, { email: operator.email })}
          </p>
        ) : (
          <p className={classes.problem} role="alert">
            {typeof stage.why === 'string' ? t(`secondFactor.failure.${stage.why}`) : stage.why.text}
          </p>
        )}
        {!isBusy && (
          <button type="button" className={`${buttons.primary} ${classes.submit}`} onClick={start}>
            {t(stage === 'waiting' ? 'secondFactor.continue' : 'app:tryAgain')}
          </button>
        )}
        {isRefused(stage) && (
          <button type="button" className={buttons.plain} onClick={startAnew}>
            {t('secondFactor.otherAccount')}
          </button>
        )}
        <button type="button" className={buttons.plain} onClick={leave}>
          {t('secondFactor.leave')}
        </button>
      </div>
    </main>
  )
}

/** `waiting`: after the browser's Back, the operator must not be redirected again at once. */
type Stage = 'starting' | 'finishing' | 'waiting' | { why: SecondFactorFailure }

/** Whether the provider refused, or the server because the account belongs to another person. */
function isRefused(stage: Stage): boolean {
  return typeof stage !== 'string' && (stage.why === 'refused' || typeof stage.why === 'object')
}

function useSecondFactor(operator: OperatorSession) {
  const navigate = useNavigate()
  const returnTo = useRouterState({ select: (state) => state.location.state.returnTo ?? null })
  const [stage, setStage] = useState<Stage>('starting')
  const keepsSession = useRef(false)
  useBlocker({
    enableBeforeUnload: false,
    shouldBlockFn: ({ next }) => {
      if (!keepsSession.current && next.pathname !== secondFactorPath) signOut()
      return false
    },
  })

  const attempt = (step: () => Promise<unknown>) =>
    void step().catch((error: unknown) => {
      setStage({ why: error instanceof SecondFactorError ? error.why : 'provider' })
    })
  const begin = (account: 'known' | 'any') => {
    setStage('starting')
    attempt(() => startSecondFactor(operator, returnTo, account))
  }
  const start = () => begin('known')
  const finish = (answer: URLSearchParams) => {
    setStage('finishing')
    // The code is valid only once, so it need not stay in the history.
    history.replaceState(history.state, '', `.${secondFactorPath}`)
    attempt(async () => {
      const page = await finishSecondFactor(answer)
      keepsSession.current = true
      if (page?.startsWith('/project/')) await navigate({ href: page, replace: true })
      else await navigate({ to: '/project/administration', replace: true })
    })
  }
  const leave = () => void navigate({ to: '/project/operator' })

  const hasBegun = useRef(false)
  const open = useEffectEvent(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    const answer = new URLSearchParams(location.search)
    if (hasAnswer(answer)) finish(answer)
    else if (cameBack()) setStage('waiting')
    else start()
  })
  useEffect(() => open(), [])
  const showAgain = useEffectEvent((event: PageTransitionEvent) => event.persisted && setStage('waiting'))
  useEffect(() => {
    const listen = (event: PageTransitionEvent) => showAgain(event)
    addEventListener('pageshow', listen)
    return () => removeEventListener('pageshow', listen)
  }, [])
  const expire = useEffectEvent(() => {
    announceExpiry()
    keepsSession.current = true
    void navigate({ to: '/project/operator', state: returnTo === null ? {} : { returnTo } })
  })
  useEffect(() => watchForExpiry(() => expire()), [])
  return { stage, start, startAnew: () => begin('any'), leave }
}

function cameBack(): boolean {
  const [visit] = performance.getEntriesByType('navigation')
  return visit instanceof PerformanceNavigationTiming && visit.type === 'back_forward'
}
