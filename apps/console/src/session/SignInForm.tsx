import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import buttons from '#ui/buttons.module.css'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { Logo } from '#ui/Logo.tsx'
import { PeekButton } from '#ui/PeekButton.tsx'
import plain from '#ui/plain-field.module.css'
import { toastError, toastSuccess } from '#ui/toast.ts'
import classes from './SignInPage.module.css'

/** Loads calls, contract and session while the form is filled in, so that the form is shown sooner. */
const loadSession = () => import('./session.ts')

interface SignInFormProps {
  /** The id for the title. */
  titleId: string
  /** Who is to sign in. Others may, too. */
  email?: string
  note?: string
  onSignedIn: (secondFactorNext: boolean) => Promise<unknown>
  /** Called with true before a sign-in begins, and with false when it has ended in any way. */
  onBusy?: (isBusy: boolean) => void
}

/** E-mail address and password, on a card. */
export function SignInForm({ titleId, email: known = '', note, onSignedIn, onBusy }: SignInFormProps) {
  const { t } = useTranslation('session')
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const { isSigningIn, submit } = useSignIn(onSignedIn, onBusy)
  const isValid = /^.+@.+$/.test(email.trim()) && password !== ''

  function submitForm(event: FormEvent) {
    event.preventDefault()
    if (isValid && !isSigningIn) void submit(email, password)
  }
  return (
    <form className={classes.card} aria-label={t('title')} onSubmit={submitForm} onInput={() => void loadSession()}>
      <Logo size={40} />
      <h1 id={titleId} className={classes.title}>
        {t('title')}
      </h1>
      {note !== undefined && <p className={classes.note}>{note}</p>}
      <label className={plain.field}>
        <span>{t('email')}</span>
        <input
          type="email"
          name="email"
          autoComplete="username"
          // biome-ignore lint/a11y/noAutofocus: the first field of a page that is only this form.
          autoFocus={known === ''}
          required
          maxLength={320}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      </label>
      <PeekPasswordInput label={t('password')} isFirst={known !== ''} value={password} onChange={setPassword} />
      <button
        type="submit"
        className={`${buttons.primary} ${classes.submit}`}
        disabled={!isValid}
        aria-busy={isSigningIn}
        aria-disabled={isSigningIn}
      >
        {t('submit')}
      </button>
      {isSigningIn && <FullScreenSpinner isOverlay />}
    </form>
  )
}

function useSignIn(onSignedIn: SignInFormProps['onSignedIn'], onBusy: SignInFormProps['onBusy']) {
  const { t } = useTranslation('session')
  const [isSigningIn, setIsSigningIn] = useState(false)

  async function submit(email: string, password: string) {
    setIsSigningIn(true)
    onBusy?.(true)
    const { signIn, whyNotSignedIn } = await loadSession()
    try {
      const { secondFactorNext } = await signIn({ email, password })
      toastSuccess(t('loggedIn.title'), t('loggedIn.text'))
      await onSignedIn(secondFactorNext)
    } catch (error) {
      const why = whyNotSignedIn(error)
      toastError(why.title, why.text)
    } finally {
      setIsSigningIn(false)
      onBusy?.(false)
    }
  }
  return { isSigningIn, submit }
}

interface PeekPasswordInputProps {
  label: string
  /** Whether it has the focus at first. */
  isFirst: boolean
  value: string
  onChange: (value: string) => void
}

/** A password that is readable only while the eye is held down, with the pointer or with Space or Enter. */
function PeekPasswordInput({ label, isFirst, value, onChange }: PeekPasswordInputProps) {
  const { t } = useTranslation('session')
  const id = useId()
  const [isHeld, setIsHeld] = useState(false)
  return (
    <div className={plain.field}>
      <label htmlFor={id}>{label}</label>
      <div className={classes.withEye}>
        <input
          id={id}
          type={isHeld ? 'text' : 'password'}
          name="password"
          autoComplete="current-password"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the only field that is empty.
          autoFocus={isFirst}
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
