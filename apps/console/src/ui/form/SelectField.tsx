import { Select, type SelectProps } from '@mantine/core'
import type { FieldProps } from './Fields.tsx'
import { useField } from './resource-form.ts'

interface SelectFieldProps extends FieldProps<SelectProps<string>> {
  /** Called instead of setting the field. */
  onChoose?: (chosen: string) => void
}

/** A select whose choice can be changed but not cleared. A value that is not among the options is not shown. */
export function SelectField({ name, onChoose, ...rest }: SelectFieldProps) {
  const { value, set, input } = useField<string | null>(name)
  return (
    <Select
      allowDeselect={false}
      // The list opens by a click, by typing or by an arrow key: not because the focus passes.
      openOnFocus={false}
      comboboxProps={{ keepMounted: false }}
      {...input}
      {...rest}
      error={rest.error ?? input.error}
      disabled={input.disabled || rest.disabled === true}
      value={isOffered(rest.data ?? [], value) ? value : null}
      onChange={(chosen) => {
        if (chosen !== null) (onChoose ?? set)(chosen)
      }}
    />
  )
}

type Offer = string | { value: string } | { group: unknown; items: readonly Offer[] }

function isOffered(offers: readonly Offer[], value: string | null): boolean {
  return offers.some((each) => {
    if (typeof each === 'string') return each === value
    return 'group' in each ? isOffered(each.items, value) : each.value === value
  })
}
