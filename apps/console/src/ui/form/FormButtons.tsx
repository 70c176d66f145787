import { Button, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogFoot } from '../dialog/Dialog.tsx'
import { useRequestClose } from './FormDialog.tsx'
import classes from './form.module.css'
import { useFormContext } from './form-context.ts'

interface SubmitButtonProps {
  /** Why nothing can be submitted, where the form has better words for it than its first error. */
  why?: string | null
  /** The id of what says why not, too. */
  describedBy?: string | undefined
  children: ReactNode
}

/** Submits the form it stands in, or says what stands against it. */
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
  /** The words of the button that submits. */
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
