import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import buttons from '#ui/buttons.module.css'
import { Logo } from '#ui/Logo.tsx'
import { SignInForm } from './SignInForm.tsx'
import classes from './SignInPage.module.css'
import { secondFactorPath, secondFactorWindow } from './second-factor-window.ts'
import { absentOperator, signedInEmail, signOut, whoReturned } from './session.ts'

const checkMilliseconds = 1000

/** The sign-in of a covered page. The second factor is passed in another window, because it leaves the page. */
export function SignInAgain({ onFound }: { onFound: (who: 'same' | 'other') => Promise<unknown> }) {
  const { t } = useTranslation('session')
  const titleId = useId()
  const [email] = useState(() => absentOperator()?.email ?? '')
  const [isConfirming, check] = useReturn(onFound)
  return (
    <div role="dialog" aria-modal="true" aria-labelledby={titleId} className={classes.cover}>
      {isConfirming ? (
        <SecondFactorAgain titleId={titleId} email={signedInEmail() ?? email} onLeave={check} />
      ) : (
        <SignInForm titleId={titleId} email={email} note={t('again')} onSignedIn={check} />
      )}
    </div>
  )
}

/** Looks every second who has signed in. @returns whether the second factor is missing, and a function that looks now */
function useReturn(onFound: (who: 'same' | 'other') => Promise<unknown>): [boolean, () => Promise<unknown>] {
  const [isConfirming, setIsConfirming] = useState(false)
  // Two looks at a time, or one after the page has been given back, would find an operator for whom no page waits.
  const isChecking = useRef(false)
  const check = async () => {
    if (isChecking.current) return
    isChecking.current = true
    try {
      const who = await whoReturned()
      setIsConfirming(who === 'second-factor')
      if (who === 'same' || who === 'other') return await onFound(who)
    } catch {
      // Without the server no sign-in is possible; the next check may reach it.
    }
    isChecking.current = false
  }
  const checkNow = useEffectEvent(check)
  useEffect(() => {
    const timer = setInterval(() => void checkNow(), checkMilliseconds)
    return () => clearInterval(timer)
  }, [])
  return [isConfirming, check]
}

interface SecondFactorAgainProps {
  titleId: string
  email: string
  onLeave: () => Promise<unknown>
}

function SecondFactorAgain({ titleId, email, onLeave }: SecondFactorAgainProps) {
  const { t } = useTranslation('session')
  const leave = () => {
    signOut()
    void onLeave()
  }
  return (
    <div className={classes.card}>
      <Logo size={40} />
      <h1 id={titleId} className={classes.title}>
        {t('secondFactor.title')}
      </h1>
      <p className={classes.note} role="status">
        {t('secondFactor.waiting', { email })}
      </p>
      <button
        type="button"
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the form, which had the focus.
        autoFocus
        className={`${buttons.primary} ${classes.submit}`}
        onClick={() => window.open(`.${secondFactorPath}`, secondFactorWindow, 'popup,width=560,height=760')}
      >
        {t('secondFactor.continue')}
      </button>
      <button type="button" className={buttons.plain} onClick={leave}>
        {t('secondFactor.leave')}
      </button>
    </div>
  )
}
