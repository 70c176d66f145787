import { Button, Tooltip } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import type { FormHTMLAttributes, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { useLeaveGuard } from '../dialog/confirm.tsx'
import { DialogFoot } from '../dialog/Dialog.tsx'
import { ProblemAlert } from '../ProblemAlert.tsx'
import classes from './Form.module.css'
import { useRequestClose, useUnsavedEntries } from './FormDialog.tsx'
import type { ResourceForm } from './resource-form.ts'
import { FormContext, useFormContext } from './resource-form.ts'

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

interface FormPageProps<Values extends object> extends FormProps<Values> {
  /** The texts of the question before entries are lost. */
  leave: { title: string; text: string; stay: string; leave: string }
  /** Another part of the page may be in front. */
  isShown?: boolean
}

/** The form that a page is about: Ctrl or ⌘ with Enter submits it from anywhere, and leaving the page asks first. */
export function FormPage<Values extends object>({ leave, isShown = true, ...rest }: FormPageProps<Values>) {
  const { form } = rest
  useHotkeys([['mod+Enter', () => isShown && form.submit()]], [], true)
  useLeaveGuard({ isNeeded: form.isUnsaved, ...leave })
  return <Form {...rest} />
}

interface FormFailureProps {
  title: string
  /** Also when all refusals are shown at fields. */
  isAlwaysShown?: boolean
}

/** Why the last attempt to save failed, where no field says it. */
export function FormFailure({ title, isAlwaysShown = false }: FormFailureProps) {
  const { failure } = useFormContext()
  if (failure === null || (failure.isAtFields && !isAlwaysShown)) return null
  return (
    <ProblemAlert title={title} data-wide>
      {textOf(failure.error)}
    </ProblemAlert>
  )
}

interface SubmitButtonProps {
  /** Why nothing can be submitted, if the form has a better text for it than its first error. */
  why?: string | null
  /** The id of what says why not, too. */
  describedBy?: string | undefined
  children: ReactNode
}

/** Submits its form, or shows why that is not possible. */
export function SubmitButton({ describedBy, children, ...given }: SubmitButtonProps) {
  const { isPending, whyNot } = useFormContext()
  const why = given.why ?? whyNot
  return (
    <Tooltip label={why} disabled={why === null} position="top-end">
      <span className={classes.reason}>
        <Button type="submit" disabled={why !== null} loading={isPending} aria-describedby={describedBy}>
          {children}
        </Button>
      </span>
    </Tooltip>
  )
}

interface DialogButtonsProps {
  /** The label of the submit button. */
  submit: string
  why?: string | null
  /** Other buttons, on the left. */
  children?: ReactNode
}

/** The buttons of a form in a FormDialog. */
export function DialogButtons({ submit, why = null, children }: DialogButtonsProps) {
  const { t } = useTranslation('app')
  const cancel = useRequestClose()
  return (
    <DialogFoot>
      {children}
      <Button variant="default" onClick={cancel}>
        {t('cancel')}
      </Button>
      <SubmitButton why={why}>{submit}</SubmitButton>
    </DialogFoot>
  )
}
