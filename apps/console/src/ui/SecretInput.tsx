import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { PeekButton } from './PeekButton.tsx'

interface SecretInputProps {
  label: string
  description?: string
  /** The name of the eye. */
  peekLabel: string
  isRequired?: boolean
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  error?: string | undefined
}

/** A secret that is readable only while the eye is held down. Browsers do not offer to keep it. */
export function SecretInput(props: SecretInputProps) {
  const { label, description, peekLabel, isRequired = false, value, onChange, onBlur, error } = props
  const [isHeld, setIsHeld] = useState(false)
  return (
    <TextInput
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      withAsterisk={isRequired}
      type={isHeld ? 'text' : 'password'}
      autoComplete="new-password"
      spellCheck={false}
      maxLength={1024}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onBlur}
      error={error}
      rightSection={<PeekButton label={peekLabel} isHeld={isHeld} onHold={setIsHeld} />}
    />
  )
}
