import { Input, SegmentedControl } from '@mantine/core'
import { useId } from 'react'

interface ChoiceProps<Value extends string> {
  label: string
  /** Whether the label is for screen readers only, because it is visible elsewhere. */
  hideLabel?: boolean
  isDisabled?: boolean
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** A choice of few options, all of them visible. */
export function Choice<Value extends string>({
  label,
  hideLabel = false,
  isDisabled = false,
  value,
  options,
  onChange,
}: ChoiceProps<Value>) {
  const id = useId()
  const control = (
    <SegmentedControl
      fullWidth
      disabled={isDisabled}
      data={[...options]}
      value={value}
      onChange={onChange}
      {...(hideLabel ? { 'aria-label': label } : { 'aria-labelledby': id })}
    />
  )
  if (hideLabel) return control
  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }}>
      {control}
    </Input.Wrapper>
  )
}
