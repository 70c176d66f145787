import { Button, Skeleton, Text, TextInput } from '@mantine/core'
import { Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NoticeList, NoticePopup } from '#customers/index.ts'
import { ButtonWithReason } from '#ui/ActionButtons.tsx'
import { DayInput } from '#ui/DayInput.tsx'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { openDialog, useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { ErrorBoundary } from '#ui/ErrorBoundary.tsx'
import { CheckField } from '#ui/form/Fields.tsx'
import { FormFailure, FormPage, SubmitButton } from '#ui/form/Form.tsx'
import { FormFoot } from '#ui/form/FormFoot.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import { Section } from '#ui/Page.tsx'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import classes from './Notifications.module.css'
import { formatTypedDay, formatTypedTime } from './notification-form.ts'
import type { Entry } from './use-notifications.tsx'

const RichTextField = onDemand(() => import('#ui/rich-text/RichTextField.tsx'), 'RichTextField')

/** The form of a notification. Give it another `key` for another notification. */
export function NotificationEditor({ entry: { id, form, begin } }: { entry: Entry }) {
  const { t } = useTranslation(['notifications', 'app'])
  const { message, displayPopup } = form.values
  const title = t(id === null ? 'new' : 'editing')
  const leave = { title: t('leave.title'), text: t('leave.text'), stay: t('leave.stay'), leave: t('leave.discard') }
  return (
    <FormPage form={form} leave={leave} aria-label={title}>
      <Section title={title} hint={<Hint />}>
        <FormFailure title={t('saveFailed')} />
        <div data-wide>
          <ErrorBoundary
            fallback={(again) => (
              <LoadFailure title={t('app:error.part.title')} text={t('app:error.part.text')} onAgain={again} />
            )}
          >
            {/* Holds the place of the first field, which takes the focus when it has been loaded. */}
            <Suspense fallback={<Skeleton height={230} data-path="message" />}>
              <RichTextField name="message" label={t('message')} />
            </Suspense>
          </ErrorBoundary>
        </div>
        <MomentFields which="start" form={form} />
        <MomentFields which="end" form={form} />
        <CheckField name="displayPopup" label={t('displayPopup')} />
        <CheckField name="deactivate" label={t('deactivate')} />
        <FormFoot>
          <Button variant="subtle" color="gray" onClick={() => begin(null)}>
            {t('cancel')}
          </Button>
          <ButtonWithReason
            variant="default"
            why={message === '' ? t('problems.no-message') : null}
            onClick={() => openDialog(<TestDisplay message={message} isPopup={displayPopup} />)}
          >
            {t('test')}
          </ButtonWithReason>
          <SubmitButton>{t('save')}</SubmitButton>
        </FormFoot>
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

interface MomentFieldsProps extends Pick<Entry, 'form'> {
  which: 'start' | 'end'
}

/** A notification may be entered for a time in the past, for example one that started this morning. */
const earliest = '2000-01-01'

/** Day and time of the start or the end, with one message for both. */
function MomentFields({ which, form }: MomentFieldsProps) {
  const { t } = useTranslation('notifications')
  const problemId = useId()
  const [day, time] = which === 'start' ? (['startDay', 'startTime'] as const) : (['endDay', 'endTime'] as const)
  const error = form.errorAt(which)
  const common = {
    'data-path': which,
    withAsterisk: true,
    error: error !== undefined,
    'aria-describedby': error === undefined ? undefined : problemId,
  }
  const blurDay = () => {
    const typed = form.values[day]
    const formatted = formatTypedDay(typed)
    if (formatted !== typed) form.set({ [day]: formatted })
    if (typed !== '') form.blur(which)
  }
  const blurTime = () => {
    form.set({ [time]: formatTypedTime(form.values[time]) })
    form.blur(which)
  }
  return (
    <div className={classes.moment}>
      <DayInput
        {...common}
        label={t(day)}
        placeholder={t('dayPlaceholder')}
        value={form.values[day]}
        onChange={(typed) => form.set({ [day]: typed })}
        onBlur={blurDay}
        earliest={earliest}
        openLabel={t(which === 'start' ? 'openStart' : 'openEnd')}
        calendarLabel={t(which === 'start' ? 'startCalendar' : 'endCalendar')}
      />
      <TextInput
        {...common}
        // Not type="time": browsers show that in their own language, not in the console's.
        inputMode="numeric"
        autoComplete="off"
        placeholder={t('timePlaceholder')}
        label={t(time)}
        value={form.values[time]}
        onChange={(event) => form.set({ [time]: event.currentTarget.value })}
        onBlur={blurTime}
      />
      {error !== undefined && (
        <div id={problemId} data-problem>
          {error}
        </div>
      )}
    </div>
  )
}

/** Shows a notification as customers would see it. */
function TestDisplay({ message, isPopup }: { message: string; isPopup: boolean }) {
  const { t } = useTranslation('notifications')
  const close = useCloseDialog()
  const notices = [{ notificationId: 0, message }]
  if (isPopup) return <NoticePopup notices={notices} onClose={close} />
  return (
    <Dialog title={t('display.title')} width="large" closesOutside>
      <Text size="sm" c="dimmed" mb="sm">
        {t('display.hint')}
      </Text>
      <NoticeList notices={notices} />
    </Dialog>
  )
}
