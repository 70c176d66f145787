import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { PeekButton } from '../PeekButton.tsx'
import { useField } from './form-context.ts'
import type { FieldProps } from './TextField.tsx'

interface SecretFieldProps extends FieldProps<TextInputProps> {
  /** The name of the eye. */
  peekLabel: string
}

/** A secret that is readable only while the eye is held down. Browsers do not offer to keep it. */
export function SecretField({ name, onLeave, peekLabel, ...rest }: SecretFieldProps) {
  const { value, set, input } = useField<string>(name, onLeave)
  const [isHeld, setIsHeld] = useState(false)
  return (
    <TextInput
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      autoComplete="new-password"
      spellCheck={false}
      maxLength={1024}
      {...input}
      {...rest}
      type={isHeld ? 'text' : 'password'}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
      rightSection={<PeekButton label={peekLabel} isHeld={isHeld} onHold={setIsHeld} />}
    />
  )
}

interface PasswordFieldProps extends FieldProps<PasswordInputProps> {
  /** The name of the button that shows and hides it. */
  toggleLabel: string
}

/** A password that somebody is given, and that stays readable once it is shown. */
export function PasswordField({ name, onLeave, toggleLabel, ...rest }: PasswordFieldProps) {
  const { value, set, input } = useField<string>(name, onLeave)
  return (
    <PasswordInput
      autoComplete="new-password"
      spellCheck={false}
      visibilityToggleButtonProps={{ 'aria-label': toggleLabel }}
      {...input}
      {...rest}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}
