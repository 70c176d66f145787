import { Button, Tooltip } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import type { FormHTMLAttributes, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { useLeaveGuard } from '../dialog/confirm.tsx'
import { DialogFoot } from '../dialog/Dialog.tsx'
import { isPageCovered } from '../dialog/open-dialogs.ts'
import { ProblemAlert } from '../ProblemAlert.tsx'
import { useKeptFocus } from '../use-kept-focus.ts'
import classes from './Form.module.css'
import { useRequestClose, useUnsavedEntries } from './FormDialog.tsx'
import type { ResourceForm } from './resource-form.ts'
import { FormContext, useFormContext } from './resource-form.ts'

export interface FormProps<Values extends object> extends FormHTMLAttributes<HTMLFormElement> {
  form: ResourceForm<Values>
}

/** Fields from top to bottom, then the buttons. In a FormDialog, closing asks before unsaved entries are lost. */
export function Form<Values extends object>({ form, className, ...rest }: FormProps<Values>) {
  useUnsavedEntries(form.isUnsaved)
  useKeptFocus(form.isPending, () => form.root.current)
  return (
    <FormContext value={form as unknown as ResourceForm}>
      <form
        tabIndex={-1}
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
  /** The texts of the question before unsaved entries are lost. */
  leave: { title: string; text: string; stay: string; leave: string }
  /** False while another part of the page covers the form. */
  isShown?: boolean
}

/** The main form of a page: Ctrl or ⌘ with Enter submits it from anywhere, and leaving the page asks first. */
export function FormPage<Values extends object>({ leave, isShown = true, ...rest }: FormPageProps<Values>) {
  const { form } = rest
  useHotkeys([['mod+Enter', () => isShown && !isPageCovered() && form.submit()]], [], true)
  useLeaveGuard({ isNeeded: form.isUnsaved, ...leave })
  return <Form {...rest} />
}

interface FormFailureProps {
  title: string
  /** Whether to show the failure even if all refusals are shown at fields. */
  isAlwaysShown?: boolean
}

/** Why the last attempt to save failed, unless the fields say so. */
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
  /** Why the form cannot be submitted, if there is a better text than its first error. */
  why?: string | null
  /** The id of an element that also says why the form cannot be submitted. */
  describedBy?: string | undefined
  children: ReactNode
}

/** Submits its form, or shows why it cannot. */
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
