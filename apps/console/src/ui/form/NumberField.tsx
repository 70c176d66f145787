import { TextInput, type TextInputProps } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import type { FieldProps } from './Fields.tsx'
import { useField } from './resource-form.ts'

interface NumberFieldProps extends FieldProps<TextInputProps> {
  min: number
  max?: number
  /** Whether the number is fixed at 0, regardless of the entry. */
  isOff?: boolean
  /** Also called when the input loses the focus. */
  onBlur?: () => void
}

/**
 * A whole number from 0, also by the arrow keys. Everything else stays as it is typed, for the form to refuse: the
 * form's value is '' while the input is empty, and a string while it is not a plain number.
 */
export function NumberField({ name, onBlur, min, max, isOff = false, ...rest }: NumberFieldProps) {
  const { value = '', set, input } = useField<number | string | undefined>(name, onBlur)
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (by === 0 || typeof value === 'string') return
    event.preventDefault()
    set(Math.min(Math.max(value + by, min), max ?? Number.MAX_SAFE_INTEGER))
  }
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      {...input}
      {...rest}
      disabled={isOff || input.disabled}
      value={isOff ? 0 : value}
      onKeyDown={step}
      onChange={(event) => set(readTyped(event.currentTarget.value))}
    />
  )
}

/** The number only if it reads exactly as it was typed. */
function readTyped(typed: string): number | string {
  return /^(0|[1-9]\d{0,14})$/.test(typed) ? Number(typed) : typed
}
