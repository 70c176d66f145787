import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { PeekButton } from './PeekButton.tsx'

interface SecretInputProps {
  label: string
  /** The name of the eye. */
  peekLabel: string
  isRequired?: boolean
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}

/** A secret that is readable only while the eye is held down. Browsers do not offer to keep it. */
export function SecretInput({ label, peekLabel, isRequired = false, value, onChange, error }: SecretInputProps) {
  const [isHeld, setIsHeld] = useState(false)
  return (
    <TextInput
      label={label}
      withAsterisk={isRequired}
      type={isHeld ? 'text' : 'password'}
      autoComplete="new-password"
      spellCheck={false}
      maxLength={1024}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      rightSection={<PeekButton label={peekLabel} isHeld={isHeld} onHold={setIsHeld} />}
    />
  )
}
