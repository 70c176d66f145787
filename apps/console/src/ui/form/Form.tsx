import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type FormHTMLAttributes, type ReactNode, useEffectEvent, useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#locales/error-texts.ts'
import { useLeaveGuard } from '../dialog/confirm.tsx'
import { DialogFoot } from '../dialog/Dialog.tsx'
import { isPageCovered } from '../dialog/open-dialogs.ts'
import { ProblemAlert } from '../ProblemAlert.tsx'
import { useRequestClose, useUnsavedEntries } from './FormDialog.tsx'
import { GuardedButton } from './FormFoot.tsx'
import type { ResourceForm } from './resource-form.ts'
import { FormContext, useFormContext } from './resource-form.ts'

export interface FormProps<Values extends object> extends FormHTMLAttributes<HTMLFormElement> {
  form: ResourceForm<Values>
  /** False while another part of the page covers the form. */
  isShown?: boolean
}

/**
 * Fields from top to bottom, then the buttons. The first field has the focus when the form opens. In a FormDialog,
 * closing asks before unsaved entries are lost.
 */
export function Form<Values extends object>({ form, isShown = true, className, ...rest }: FormProps<Values>) {
  useUnsavedEntries(form.isUnsaved)
  const open = useEffectEvent(() => isShown && form.focusFirst())
  useLayoutEffect(() => void open(), [])
  return (
    <FormContext value={form as unknown as ResourceForm}>
      <form
        tabIndex={-1}
        {...rest}
        ref={form.root}
        className={className ?? 'rk-column'}
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
}

/** The main form of a page: Ctrl or ⌘ with Enter submits it from anywhere, and leaving the page asks first. */
export function FormPage<Values extends object>({ leave, isShown = true, ...rest }: FormPageProps<Values>) {
  const { form } = rest
  useHotkeys([['mod+Enter', () => isShown && !isPageCovered() && form.submit()]], [], true)
  useLeaveGuard({ isNeeded: form.isUnsaved, ...leave })
  return <Form isShown={isShown} {...rest} />
}

export interface FormFailureProps {
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
  danger?: boolean
  children: ReactNode
}

/** Submits its form, or shows why it cannot. */
export function SubmitButton({ describedBy, danger = false, children, ...given }: SubmitButtonProps) {
  const { isPending, whyNot } = useFormContext()
  return (
    <GuardedButton
      type="submit"
      color={danger ? 'red' : undefined}
      why={given.why ?? whyNot}
      loading={isPending}
      aria-describedby={describedBy}
    >
      {children}
    </GuardedButton>
  )
}

interface DialogButtonsProps {
  /** The label of the submit button. */
  submit: string
  why?: string | null
  danger?: boolean
  /** Other buttons, on the left. */
  children?: ReactNode
}

/** The buttons of a form in a FormDialog. */
export function DialogButtons({ submit, why = null, danger = false, children }: DialogButtonsProps) {
  const { t } = useTranslation('app')
  const cancel = useRequestClose()
  return (
    <DialogFoot>
      {children}
      {/* It has the focus in a dialog that opens without fields. */}
      <Button variant="default" data-autofocus onClick={cancel}>
        {t('cancel')}
      </Button>
      <SubmitButton why={why} danger={danger}>
        {submit}
      </SubmitButton>
    </DialogFoot>
  )
}
