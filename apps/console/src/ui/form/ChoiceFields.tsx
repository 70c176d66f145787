import { Checkbox, type CheckboxProps, Radio, type RadioGroupProps } from '@mantine/core'
import { useField } from './form-context.ts'
import type { FieldProps } from './TextField.tsx'

/** Yes or no. */
export function CheckField({ name, onLeave, ...rest }: Omit<FieldProps<CheckboxProps>, 'checked'>) {
  const { value, set, input } = useField<boolean>(name, onLeave)
  return <Checkbox {...input} {...rest} checked={value} onChange={(event) => set(event.currentTarget.checked)} />
}

/** One of a few: `children` holds a Radio for each. */
export function RadioField({ name, onLeave, ...rest }: FieldProps<RadioGroupProps>) {
  const { value, set, input } = useField<string>(name, onLeave)
  const { disabled: _, ...group } = input
  return <Radio.Group {...group} {...rest} value={value} onChange={set} />
}
