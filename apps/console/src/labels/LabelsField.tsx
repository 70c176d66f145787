import { Input } from '@mantine/core'
import { labelsWith } from '@roomkeeper/rules'
import { useField } from '#ui/form/resource-form.ts'
import { LabelsInput } from './LabelsInput.tsx'

/** Labels, in a form. */
export function LabelsField({ name, label }: { name: string; label: string }) {
  const { value, set, input } = useField<string[]>(name)
  return (
    <div>
      <Input.Label labelElement="div">{label}</Input.Label>
      <LabelsInput
        title={label}
        labels={value}
        onChange={(change) => set(labelsWith(value, change))}
        refused={input.error}
        path={name}
      />
    </div>
  )
}
