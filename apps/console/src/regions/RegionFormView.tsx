import { Button, Tooltip } from '@mantine/core'
import type { Region } from '@roomkeeper/contract'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { DialogFoot } from '#ui/dialog/DialogFoot.tsx'
import { useCloseDialog } from '#ui/dialog/dialog-context.ts'
import { useRequestClose, useUnsavedChanges } from '#ui/EditDialog.tsx'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { useSentences } from '#ui/use-sentences.ts'
import { RegionFields } from './RegionFields.tsx'
import classes from './RegionForm.module.css'
import { TestResult } from './TestResult.tsx'
import { type RegionFormState, useRegionForm } from './use-region-form.ts'

/** @param props.stored null makes a new one */
export function RegionFormView({ stored }: { stored: Region | null }) {
  const { t } = useTranslation('regions')
  const translated = useSentences('regions')
  const state = useRegionForm(stored, useCloseDialog())
  const { form, errors, save, test, hasChanges } = state
  useUnsavedChanges(hasChanges)
  const isValid = Object.keys(errors).length === 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isValid && !save.isPending) save.mutate(form)
  }
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <RegionFields state={state} />
      <TestResult test={test} />
      {save.error !== null && (
        <ProblemAlert title={stored === null ? t('new.failed') : t('edit.failed')}>
          {translated(textOf(save.error))}
        </ProblemAlert>
      )}
      <RegionButtons state={state} />
    </form>
  )
}

function RegionButtons({ state: { form, errors, test, save } }: { state: RegionFormState }) {
  const { t } = useTranslation(['regions', 'app'])
  const cancel = useRequestClose()
  const wrong = Object.keys(errors) as (keyof typeof errors)[]
  const why =
    wrong.length === 0 ? null : t('pleaseCheck', { fields: wrong.map((each) => t(`fields.${each}`)).join(', ') })
  return (
    <DialogFoot>
      <Tooltip label={why} disabled={why === null}>
        <span className={classes.reason}>
          <Button variant="default" disabled={why !== null} loading={test.isPending} onClick={() => test.mutate(form)}>
            {t('test.action')}
          </Button>
        </span>
      </Tooltip>
      <span className={classes.space} />
      <Button variant="default" onClick={cancel}>
        {t('app:cancel')}
      </Button>
      <Tooltip label={why} disabled={why === null}>
        <span className={classes.reason}>
          <Button type="submit" disabled={why !== null} loading={save.isPending}>
            {t('save')}
          </Button>
        </span>
      </Tooltip>
    </DialogFoot>
  )
}
