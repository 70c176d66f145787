import { Button, Tooltip } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import classes from './restore.module.css'

interface StartRestoreProps {
  /** Why it cannot start, or null. */
  whyNot: string | null
  isPending: boolean
  error: Error | null
  onStart: () => void
}

/** The button that overwrites a room, and why it cannot or did not. */
export function StartRestore({ whyNot, isPending, error, onStart }: StartRestoreProps) {
  const { t } = useTranslation('restore')
  const reasonId = useId()
  return (
    <>
      {error !== null && <ProblemAlert title={t('failed')}>{textOf(error)}</ProblemAlert>}
      <div className={classes.start}>
        <span className={classes.note} id={reasonId}>
          {whyNot}
        </span>
        <Tooltip label={whyNot} disabled={whyNot === null} position="top-end">
          <span className={classes.reason}>
            <Button
              color="red"
              disabled={whyNot !== null}
              loading={isPending}
              aria-describedby={whyNot === null ? undefined : reasonId}
              onClick={onStart}
            >
              {t('start')}
            </Button>
          </span>
        </Tooltip>
      </div>
    </>
  )
}
