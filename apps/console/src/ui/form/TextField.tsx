import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core'
import { useField } from './form-context.ts'

/** The props of an input whose value the form holds. */
export type FieldProps<Props> = Omit<Props, 'name' | 'value' | 'onChange' | 'onBlur'> & {
  /** The path of the field. */
  name: string
  /** When the input is left. */
  onLeave?: () => void
}

/** A line of text. */
export function TextField({ name, onLeave, ...rest }: FieldProps<TextInputProps>) {
  const { value, set, input } = useField<string>(name, onLeave)
  return <TextInput {...input} {...rest} value={value} onChange={(event) => set(event.currentTarget.value)} />
}

/** A text of several lines. */
export function TextAreaField({ name, onLeave, ...rest }: FieldProps<TextareaProps>) {
  const { value, set, input } = useField<string>(name, onLeave)
  return <Textarea autosize {...input} {...rest} value={value} onChange={(event) => set(event.currentTarget.value)} />
}
