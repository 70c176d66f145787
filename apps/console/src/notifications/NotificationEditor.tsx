import { Button, Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonWithReason } from '#ui/ActionButtons.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { CheckField } from '#ui/form/ChoiceFields.tsx'
import { SubmitButton } from '#ui/form/FormButtons.tsx'
import { FormFailure } from '#ui/form/FormFailure.tsx'
import { FormPage } from '#ui/form/FormPage.tsx'
import { Section } from '#ui/Page.tsx'
import { MomentFields } from './MomentFields.tsx'
import classes from './NotificationEditor.module.css'
import { TestDisplay } from './TestDisplay.tsx'
import type { Entry } from './use-entry.ts'

const RichTextField = lazy(async () => ({
  default: (await import('#ui/rich-text/RichTextField.tsx')).RichTextField,
}))

/** The form of a notification. Give it another `key` for another notification. */
export function NotificationEditor({ entry: { id, form, begin } }: { entry: Entry }) {
  const { t } = useTranslation('notifications')
  const { message, displayPopup } = form.values
  const title = t(id === null ? 'new' : 'editing')
  const leave = { title: t('leave.title'), text: t('leave.text'), stay: t('leave.stay'), leave: t('leave.discard') }
  return (
    <FormPage form={form} leave={leave} aria-label={title} tabIndex={-1} className={classes.form}>
      <Section title={title} hint={<Hint />}>
        <FormFailure title={t('saveFailed')} />
        <div data-wide>
          <Suspense fallback={<Skeleton height={230} />}>
            <RichTextField name="message" label={t('message')} />
          </Suspense>
        </div>
        <MomentFields which="start" form={form} />
        <MomentFields which="end" form={form} />
        <CheckField name="displayPopup" label={t('displayPopup')} />
        <CheckField name="deactivate" label={t('deactivate')} />
        <div data-wide className={classes.buttons}>
          <SubmitButton>{t('save')}</SubmitButton>
          <ButtonWithReason
            variant="default"
            why={message === '' ? t('problems.no-message') : null}
            onClick={() => openDialog(<TestDisplay message={message} isPopup={displayPopup} />)}
          >
            {t('test')}
          </ButtonWithReason>
          <Button variant="subtle" color="gray" onClick={() => begin(null)}>
            {t('cancel')}
          </Button>
        </div>
      </Section>
    </FormPage>
  )
}

function Hint() {
  const { t } = useTranslation('notifications')
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return (
    <>
      {t('hint')} {t('zone', { zone: timeZone })}
    </>
  )
}
