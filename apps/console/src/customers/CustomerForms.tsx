import type { CustomerPage } from '@roomkeeper/contract'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import buttons from '#ui/buttons.module.css'
import plain from '#ui/plain-field.module.css'
import classes from './CustomerArea.module.css'
import { askForRoomNames, findRoom, type Refusal } from './customer-calls.ts'

/** Asks for the room's name and sends the browser to the room. */
export function RoomForm({ page }: { page: Exclude<CustomerPage, 'forgot_project_room_name'> }) {
  const { t } = useTranslation('customers')
  const [name, setName] = useState('')
  const [refusal, setRefusal] = useState<Refusal | 'missing' | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isAsking) return
    if (name.trim() === '') return refuse('missing')
    setIsAsking(true)
    const found = await findRoom(name)
    if (typeof found !== 'string') return location.assign(found.url)
    setIsAsking(false)
    refuse(found)
  }
  function refuse(why: Refusal | 'missing') {
    setRefusal(why)
    input.current?.focus()
  }
  return (
    <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
      <p className={classes.lead}>{t(`${page}.lead`)}</p>
      <label className={plain.field}>
        <span>{t('roomName')}</span>
        <input
          ref={input}
          name="room"
          autoComplete="organization"
          autoCapitalize="none"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the only field of a page that is only this form.
          autoFocus
          maxLength={64}
          value={name}
          aria-invalid={refusal !== null}
          aria-describedby="problem"
          onChange={(event) => {
            setName(event.currentTarget.value)
            setRefusal(null)
          }}
        />
      </label>
      <p id="problem" role="alert" className={classes.problem}>
        {refusal !== null && t(`problems.${refusal === 'invalid' ? 'unknown-room' : refusal}`)}
      </p>
      <button type="submit" className={buttons.primary} aria-busy={isAsking} aria-disabled={isAsking}>
        {t('toRoom')}
      </button>
    </form>
  )
}

/** E-mails the names of a person's rooms. The answer is the same whether the person has any rooms or not. */
export function ForgotRoomNameForm() {
  const { t } = useTranslation('customers')
  const [email, setEmail] = useState('')
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const [askedFor, setAskedFor] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isAsking) return
    setIsAsking(true)
    const refused = /^(.+)@(.+)$/.test(email.trim()) ? await askForRoomNames(email) : 'invalid'
    setIsAsking(false)
    setRefusal(refused)
    setAskedFor(refused === null ? email.trim() : null)
    if (refused !== null) input.current?.focus()
  }
  return (
    <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
      <p className={classes.lead}>{t('forgot_project_room_name.lead')}</p>
      <label className={plain.field}>
        <span>{t('email')}</span>
        <input
          ref={input}
          type="email"
          name="email"
          autoComplete="email"
          // biome-ignore lint/a11y/noAutofocus: the only field of a page that is only this form.
          autoFocus
          maxLength={320}
          value={email}
          aria-invalid={refusal !== null}
          aria-describedby="problem"
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            setRefusal(null)
          }}
        />
      </label>
      <p id="problem" role="alert" className={classes.problem}>
        {refusal !== null && t(`problems.${refusal === 'invalid' ? 'no-email' : refusal}`)}
      </p>
      <button type="submit" className={buttons.primary} aria-busy={isAsking} aria-disabled={isAsking}>
        {t('send')}
      </button>
      <p role="status" className={classes.done}>
        {askedFor !== null && t('sent', { email: askedFor })}
      </p>
    </form>
  )
}
