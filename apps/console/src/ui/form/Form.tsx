import type { FormHTMLAttributes } from 'react'
import { useUnsavedEntries } from './FormDialog.tsx'
import classes from './form.module.css'
import { FormContext } from './form-context.ts'
import type { ResourceForm } from './resource-form.ts'

export interface FormProps<Values extends object> extends FormHTMLAttributes<HTMLFormElement> {
  form: ResourceForm<Values>
}

/** Fields from top to bottom, then the buttons. In a FormDialog it is asked before entries are lost. */
export function Form<Values extends object>({ form, className, ...rest }: FormProps<Values>) {
  useUnsavedEntries(form.isUnsaved)
  return (
    <FormContext value={form as unknown as ResourceForm}>
      <form
        {...rest}
        ref={form.root}
        className={className ?? classes.root}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          form.submit()
        }}
      />
    </FormContext>
  )
}
