import {
  Checkbox,
  type CheckboxProps,
  type InputWrapperProps,
  PasswordInput,
  type PasswordInputProps,
  Radio,
  type RadioGroupProps,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { useState } from 'react'
import { PeekButton } from '../PeekButton.tsx'
import { useField } from './resource-form.ts'

/** The props of an input whose value is in the form. */
export type FieldProps<Props> = Omit<Props, 'name' | 'value' | 'onChange' | 'onBlur'> & {
  /** The path of the field. */
  name: string
}

/** The description is below the input, so that inputs side by side are aligned. */
export const hintBelow = {
  inputWrapperOrder: ['label', 'input', 'error', 'description'],
} satisfies InputWrapperProps

interface TextFieldProps extends FieldProps<TextInputProps> {
  /** Also called when the input loses the focus. */
  onBlur?: () => void
}

export function TextField({ name, onBlur, ...rest }: TextFieldProps) {
  const { value, set, input } = useField<string>(name, onBlur)
  return <TextInput {...input} {...rest} value={value} onChange={(event) => set(event.currentTarget.value)} />
}

export function TextAreaField({ name, ...rest }: FieldProps<TextareaProps>) {
  const { value, set, input } = useField<string>(name)
  return <Textarea autosize {...input} {...rest} value={value} onChange={(event) => set(event.currentTarget.value)} />
}

interface SecretFieldProps extends FieldProps<TextInputProps> {
  /** The label of the eye button. */
  peekLabel: string
}

/** A secret that is readable only while the eye is held down. Browsers do not offer to save it. */
export function SecretField({ name, peekLabel, ...rest }: SecretFieldProps) {
  const { value, set, input } = useField<string>(name)
  const [isHeld, setIsHeld] = useState(false)
  return (
    <TextInput
      {...hintBelow}
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
  /** The label of the button that shows and hides the password. */
  toggleLabel: string
}

/** A password for another person. Once shown, it stays readable. */
export function PasswordField({ name, toggleLabel, ...rest }: PasswordFieldProps) {
  const { value, set, input } = useField<string>(name)
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

export function CheckField({ name, ...rest }: Omit<FieldProps<CheckboxProps>, 'checked'>) {
  const { value, set, input } = useField<boolean>(name)
  return <Checkbox {...input} {...rest} checked={value} onChange={(event) => set(event.currentTarget.checked)} />
}

/** One of a few options; `children` contains a Radio for each. */
export function RadioField({ name, ...rest }: FieldProps<RadioGroupProps>) {
  const { value, set, input } = useField<string>(name)
  const { disabled: _, ...group } = input
  return <Radio.Group {...group} {...rest} value={value} onChange={set} />
}
