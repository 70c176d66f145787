import { DayInput, type DayInputProps } from '../DayInput.tsx'
import type { FieldProps } from './Fields.tsx'
import { useField } from './resource-form.ts'

/** The form's value is the typed text, even if it is not a valid day. */
export function DayField({ name, ...rest }: FieldProps<DayInputProps>) {
  const { value, set, input } = useField<string>(name)
  return <DayInput {...input} {...rest} value={value} onChange={set} />
}
