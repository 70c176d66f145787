import { NumberInput, type NumberInputProps } from '@mantine/core'
import type { FieldProps } from './Fields.tsx'
import { useField } from './resource-form.ts'

interface NumberFieldProps extends FieldProps<NumberInputProps> {
  /** Whether the number is fixed at 0, whatever was entered. */
  isOff?: boolean
}

/** A whole number from 0. The form's value is '' while the input is empty and a string while it is no number yet. */
export function NumberField({ name, onBlur, isOff = false, ...rest }: NumberFieldProps) {
  const { value = '', set, input } = useField<number | string | undefined>(name, onBlur)
  return (
    <NumberInput
      clampBehavior="none"
      allowNegative={false}
      allowDecimal={false}
      {...input}
      {...rest}
      disabled={isOff || input.disabled}
      value={isOff ? 0 : value}
      onChange={set}
    />
  )
}
