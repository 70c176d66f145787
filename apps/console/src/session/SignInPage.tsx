import { useNavigate, useRouterState } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import buttons from '#ui/buttons.module.css'
import { Logo } from '#ui/Logo.tsx'
import { PeekButton } from '#ui/PeekButton.tsx'
import { closeToasts, toastError, toastSuccess } from '#ui/toast.ts'
import classes from './SignInPage.module.css'

/** Loads calls, contract and session while the form is filled in, so that the form is shown sooner. */
const loadSession = () => import('./session.ts')

/** The operator login: a centred card. */
export function SignInPage() {
  const { t } = useTranslation(['session', 'app'])
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { isSigningIn, submit } = useSignIn()
  const isValid = /^.+@.+$/.test(email.trim()) && password !== ''

  function submitForm(event: FormEvent) {
    event.preventDefault()
    if (isValid && !isSigningIn) void submit(email, password)
  }
  return (
    <main className={classes.page}>
      <title>{t('app:pageTitle', { page: t('title') })}</title>
      <form className={classes.card} aria-label={t('title')} onSubmit={submitForm} onInput={() => void loadSession()}>
        <Logo size={40} />
        <h1 className={classes.title}>{t('title')}</h1>
        <label className={classes.field}>
          <span>{t('email')}</span>
          <input
            type="email"
            name="email"
            autoComplete="username"
            // biome-ignore lint/a11y/noAutofocus: the first field of a page that is only this form.
            autoFocus
            required
            maxLength={320}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        </label>
        <PeekPasswordInput label={t('password')} value={password} onChange={setPassword} />
        <button
          type="submit"
          className={`${buttons.primary} ${classes.submit}`}
          disabled={!isValid}
          aria-busy={isSigningIn}
          aria-disabled={isSigningIn}
        >
          {t('submit')}
        </button>
      </form>
    </main>
  )
}

function useSignIn() {
  const { t } = useTranslation('session')
  const navigate = useNavigate()
  const returnTo = useRouterState({ select: (state) => state.location.state.returnTo })
  const [isSigningIn, setIsSigningIn] = useState(false)

  async function submit(email: string, password: string) {
    setIsSigningIn(true)
    const { signIn, whyNotSignedIn } = await loadSession()
    try {
      const { secondFactorNext } = await signIn({ email, password })
      closeToasts()
      toastSuccess(t('loggedIn.title'), t('loggedIn.text'))
      if (secondFactorNext)
        await navigate({ to: '/project/mfa_okta', state: returnTo === undefined ? {} : { returnTo } })
      else if (returnTo?.startsWith('/project/')) await navigate({ href: returnTo, replace: true })
      else await navigate({ to: '/project/administration', replace: true })
    } catch (error) {
      const why = whyNotSignedIn(error)
      toastError(why.title, why.text)
    } finally {
      setIsSigningIn(false)
    }
  }
  return { isSigningIn, submit }
}

interface PeekPasswordInputProps {
  label: string
  value: string
  onChange: (value: string) => void
}

/** A password that is readable only while the eye is held down, with the pointer or with Space or Enter. */
function PeekPasswordInput({ label, value, onChange }: PeekPasswordInputProps) {
  const { t } = useTranslation('session')
  const id = useId()
  const [isHeld, setIsHeld] = useState(false)
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <div className={classes.withEye}>
        <input
          id={id}
          type={isHeld ? 'text' : 'password'}
          name="password"
          autoComplete="current-password"
          spellCheck={false}
          required
          maxLength={1024}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <PeekButton label={t('peek')} isHeld={isHeld} onHold={setIsHeld} />
      </div>
    </div>
  )
}
