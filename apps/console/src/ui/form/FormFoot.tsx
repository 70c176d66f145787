import { Button, type ButtonProps, Group, Tooltip } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './form.module.css'

interface FormFootProps {
  /** Said on the left, such as why the form cannot be sent yet. */
  note?: ReactNode
  children: ReactNode
}

/** The buttons at the end of a form on a page: on the right, the one that goes on last, as in dialogs. */
export function FormFoot({ note, children }: FormFootProps) {
  return (
    <Group data-wide justify="flex-end" gap="xs">
      <div className={classes.note}>{note}</div>
      {children}
    </Group>
  )
}

interface GuardedButtonProps extends ButtonProps {
  /** Why the button is disabled; null if it is not. */
  why: string | null
  type?: 'submit' | 'button'
  onClick?: () => void
  'aria-describedby'?: string | undefined
  children: ReactNode
}

/** A button that is disabled while there is a reason, which its tooltip says. */
export function GuardedButton({ why, ...rest }: GuardedButtonProps) {
  return (
    <Tooltip label={why} disabled={why === null} position="top-end">
      <span className={classes.reason}>
        <Button disabled={why !== null} {...rest} />
      </span>
    </Tooltip>
  )
}

/** The foot of what is not a form, such as an upload: the button that goes on, and why it cannot yet. */
export function NextStep({ why, ...button }: Omit<GuardedButtonProps, 'aria-describedby'>) {
  const id = useId()
  return (
    <FormFoot note={<span id={id}>{why}</span>}>
      <GuardedButton why={why} aria-describedby={why === null ? undefined : id} {...button} />
    </FormFoot>
  )
}
