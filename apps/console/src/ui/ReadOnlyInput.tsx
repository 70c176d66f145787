import { TextInput } from '@mantine/core'

/** A field that can be read and copied, but never changed. */
export function ReadOnlyInput({ label, value }: { label: string; value: string }) {
  return <TextInput label={label} value={value === '' ? '–' : value} readOnly variant="unstyled" />
}
