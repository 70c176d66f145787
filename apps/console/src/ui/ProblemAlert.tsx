import { Alert, type AlertProps, Button } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './ProblemAlert.module.css'

interface ProblemAlertProps extends Omit<AlertProps, 'classNames' | 'icon' | 'color'> {
  kind?: 'error' | 'warning'
  ref?: Ref<HTMLDivElement>
  /** Makes the alert focusable. */
  tabIndex?: number
}

/** A failure or warning, readable in both colour schemes and announced when it appears. */
export function ProblemAlert({ kind = 'error', className, ...rest }: ProblemAlertProps) {
  const Icon = kind === 'error' ? IconAlertCircle : IconAlertTriangle
  return (
    <Alert
      {...rest}
      role="alert"
      color={kind === 'error' ? 'red' : 'yellow'}
      data-kind={kind}
      icon={<Icon aria-hidden />}
      classNames={{
        root: `${classes.alert} ${className ?? ''}`,
        icon: classes.lead,
        title: classes.lead,
        message: classes.text,
      }}
    />
  )
}

/** What to know before going on. */
export function NoteAlert({ children }: { children: ReactNode }) {
  return (
    <Alert
      role="note"
      data-kind="note"
      icon={<IconInfoCircle aria-hidden />}
      classNames={{ root: classes.alert, icon: classes.lead }}
    >
      {children}
    </Alert>
  )
}

interface LoadFailureProps {
  title: string
  text: string
  onAgain: () => void
}

/** Shown instead of content that could not be loaded. */
export function LoadFailure({ title, text, onAgain }: LoadFailureProps) {
  const { t } = useTranslation('app')
  return (
    <ProblemAlert title={title} data-wide>
      <div>{text}</div>
      <Button mt="xs" size="compact-sm" variant="default" onClick={onAgain}>
        {t('tryAgain')}
      </Button>
    </ProblemAlert>
  )
}
