import { Box, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfFieldError } from '#locales/error-texts.ts'
import { SubmitButton } from '#ui/form/Form.tsx'
import classes from './form.module.css'
import { useRoomForm } from './form-context.ts'
import { useFieldLabels } from './use-field-labels.ts'

/** How many fields with errors are named; the others are counted. */
const namedFields = 3

interface SubmitBarProps {
  /** The label of the button. */
  label: string
  /** Why the form cannot be submitted although it has no errors. */
  whyNot?: string | null
  /** Scrolls to what `whyNot` is about. */
  onShowWhyNot?: () => void
  /** What is to be said besides: what would be submitted, or what was. */
  children?: ReactNode
}

/** Submits the form, or shows why it cannot. Always in view. */
export function SubmitBar({ label, whyNot = null, onShowWhyNot, children }: SubmitBarProps) {
  const { submit } = useRoomForm()
  const wrong = useWrong()
  const reason = whyNot ?? wrong?.all ?? null
  return (
    <div className={classes.bar}>
      <Box className={`rk-note rk-text ${classes.said}`} flex="1 1 240px" miw={0} id="form-missing">
        {whyNot !== null && onShowWhyNot === undefined ? whyNot : null}
        {reason !== null && (whyNot === null || onShowWhyNot !== undefined) && (
          <UnstyledButton c="var(--rk-accent-text)" fz="inherit" ta="start" onClick={onShowWhyNot ?? submit}>
            {whyNot ?? wrong?.short}
          </UnstyledButton>
        )}
        {children}
      </Box>
      <SubmitButton why={reason} describedBy={reason === null ? undefined : 'form-missing'}>
        {label}
      </SubmitButton>
    </div>
  )
}

/** The texts about the errors; null if there are none. */
function useWrong(): { all: string; short: string } | null {
  const { t } = useTranslation('form')
  const { errors } = useRoomForm()
  const labels = useFieldLabels()(Object.keys(errors))
  if (labels.length === 0) return null
  const { region } = errors
  if (typeof region === 'object' && region.code === 'region-full') {
    const full = textOfFieldError(region)
    return { all: full, short: full }
  }
  const all = t('missing.all', { fields: labels.join(', ') })
  const more = labels.length - namedFields
  const named = labels.slice(0, namedFields).join(', ')
  return { all, short: more > 0 ? t('missing.some', { fields: named, count: more }) : all }
}
