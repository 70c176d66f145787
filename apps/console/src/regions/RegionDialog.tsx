import { Button, Tooltip } from '@mantine/core'
import type { Region } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { useCloseDialog } from '#ui/dialog/dialog-context.ts'
import { Form } from '#ui/form/Form.tsx'
import { DialogButtons } from '#ui/form/FormButtons.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { FormFailure } from '#ui/form/FormFailure.tsx'
import { RegionFields } from './RegionFields.tsx'
import classes from './RegionForm.module.css'
import type { RegionField } from './region-form.ts'
import { TestResult } from './TestResult.tsx'
import { useConnectionTest, useRegionForm } from './use-region-form.ts'

/** Makes a region known, or changes it. @param props.region null makes a new one */
export function RegionDialog({ region }: { region: Region | null }) {
  const { t } = useTranslation('regions')
  return (
    <FormDialog title={region === null ? t('new.title') : t('edit.title', { name: region.regionName })} width="most">
      <RegionForm stored={region} />
    </FormDialog>
  )
}

function RegionForm({ stored }: { stored: Region | null }) {
  const { t } = useTranslation('regions')
  const test = useConnectionTest(stored)
  const form = useRegionForm({ stored, onSaved: useCloseDialog(), onChange: test.reset })
  const wrong = Object.keys(form.errors) as RegionField[]
  const why =
    wrong.length === 0 ? null : t('pleaseCheck', { fields: wrong.map((each) => t(`fields.${each}`)).join(', ') })
  return (
    <Form form={form}>
      <RegionFields form={form} stored={stored} />
      <TestResult test={test} />
      <FormFailure title={stored === null ? t('new.failed') : t('edit.failed')} isAlwaysTold />
      <DialogButtons submit={t('save')} why={why}>
        <Tooltip label={why} disabled={why === null}>
          <span className={classes.reason}>
            <Button
              variant="default"
              disabled={why !== null}
              loading={test.isPending}
              onClick={() => {
                form.forgetRefusals()
                test.mutate(form.values, { onError: form.showRefusals })
              }}
            >
              {t('test.action')}
            </Button>
          </span>
        </Tooltip>
        <span className={classes.space} />
      </DialogButtons>
    </Form>
  )
}
