import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PeekButton } from '#ui/PeekButton.tsx'
import classes from './SignInPage.module.css'

interface PeekPasswordInputProps {
  label: string
  value: string
  onChange: (value: string) => void
}

/** A password that is readable only while the eye is held down, with the pointer or with Space or Enter. */
export function PeekPasswordInput({ label, value, onChange }: PeekPasswordInputProps) {
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
