import { DayInput, type DayInputProps } from '../DayInput.tsx'
import { useField } from './form-context.ts'
import type { FieldProps } from './TextField.tsx'

/** A day; the form holds what was typed, whether it is a day or not. */
export function DateField({ name, onLeave, ...rest }: FieldProps<DayInputProps>) {
  const { value, set, input } = useField<string>(name, onLeave)
  return <DayInput {...input} {...rest} value={value} onChange={set} />
}
