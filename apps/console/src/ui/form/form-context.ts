import { createContext, use } from 'react'
import type { ResourceForm } from './resource-form.ts'

/** The form that a field or a button stands in. Its fields know their values by path, and not its type. */
export const FormContext = createContext<ResourceForm | null>(null)

export function useFormContext(): ResourceForm {
  const form = use(FormContext)
  if (form === null) throw new Error('This is for the content of a form only.')
  return form
}

/**
 * What the input of a field needs. Whatever shows a value other than as the form holds it translates both ways.
 * @param onLeave when the input is left, besides
 */
export function useField<Value>(path: string, onLeave?: () => void) {
  const form = useFormContext()
  const [field = ''] = path.split('.')
  if (!(field in form.values)) throw new Error(`The form has no field ${path}.`)
  return {
    value: valueAt(form.values, path) as Value,
    set: (next: Value) => form.set({ [path]: next }),
    /** Its props: to be found by, what is wrong with it, to be noticed when it is left. */
    input: {
      'data-path': path,
      error: form.errorAt(path),
      disabled: form.isFixed(path),
      onBlur: () => {
        form.leave(path)
        onLeave?.()
      },
    },
  }
}

function valueAt(values: object, path: string): unknown {
  return path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], values)
}
