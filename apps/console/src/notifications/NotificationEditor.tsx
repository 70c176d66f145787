import { Button, Checkbox, Skeleton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { ButtonWithReason } from '#ui/ButtonWithReason.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { Section } from '#ui/Section.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { MomentFields } from './MomentFields.tsx'
import classes from './NotificationEditor.module.css'
import type { FormField } from './notification-form.ts'
import { notificationsQuery } from './queries.ts'
import { TestDisplay } from './TestDisplay.tsx'
import type { Entry } from './use-entry.ts'

const RichTextField = lazy(async () => ({
  default: (await import('#ui/rich-text/RichTextField.tsx')).RichTextField,
}))

/** The form of a notification. Give it another `key` for another notification. */
export function NotificationEditor({ entry }: { entry: Entry }) {
  const { t } = useTranslation('notifications')
  const { form, set, draft } = entry
  const { errorAt, visit, showAll } = useShownProblems(entry)
  const save = useSave(entry)
  const submit = () => {
    showAll()
    if (draft !== null && !save.isPending) save.mutate()
  }
  useHotkeys([['mod+Enter', submit]], [], true)
  const title = t(entry.id === null ? 'new' : 'editing')
  const missing = Object.values(entry.problems)[0]
  return (
    <form
      aria-label={title}
      tabIndex={-1}
      className={classes.form}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        submit()
      }}
    >
      <Section title={title} hint={<Hint />}>
        {save.error !== null && (
          <ProblemAlert title={t('saveFailed')} data-wide>
            {textOf(save.error)}
          </ProblemAlert>
        )}
        <div data-wide>
          <Suspense fallback={<Skeleton height={230} />}>
            <RichTextField
              label={t('message')}
              initial={form.message}
              error={errorAt('message')}
              onBlur={() => visit('message')}
              onChange={(message) => set({ message })}
            />
          </Suspense>
        </div>
        <MomentFields which="start" entry={entry} error={errorAt('start')} onLeave={() => visit('start')} />
        <MomentFields which="end" entry={entry} error={errorAt('end')} onLeave={() => visit('end')} />
        <Checkbox
          label={t('displayPopup')}
          checked={form.displayPopup}
          onChange={(event) => set({ displayPopup: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('deactivate')}
          checked={form.deactivate}
          onChange={(event) => set({ deactivate: event.currentTarget.checked })}
        />
        <div data-wide className={classes.buttons}>
          <SubmitButton why={missing === undefined ? null : t(`problems.${missing}`)} isPending={save.isPending}>
            {t('save')}
          </SubmitButton>
          <ButtonWithReason
            variant="default"
            why={form.message === '' ? t('problems.no-message') : null}
            onClick={() => openDialog(<TestDisplay message={form.message} isPopup={form.displayPopup} />)}
          >
            {t('test')}
          </ButtonWithReason>
          <Button variant="subtle" color="gray" onClick={() => entry.begin(null)}>
            {t('cancel')}
          </Button>
        </div>
      </Section>
    </form>
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

/** A problem is shown once its field was left, or after an attempt to save. */
function useShownProblems({ problems }: Entry) {
  const { t } = useTranslation('notifications')
  const [visited, setVisited] = useState<ReadonlySet<FormField>>(new Set())
  return {
    errorAt: (field: FormField) => {
      const problem = visited.has(field) ? problems[field] : undefined
      return problem === undefined ? null : t(`problems.${problem}`)
    },
    visit: (field: FormField) => setVisited((before) => new Set([...before, field])),
    showAll: () => setVisited(new Set(['message', 'start', 'end'])),
  }
}

function useSave({ id, draft, begin }: Entry) {
  const { t } = useTranslation('notifications')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      if (draft === null) return
      if (id === null) await client.call('createNotification', { body: draft })
      else await client.call('changeNotification', { body: { ...draft, notificationId: id } })
    },
    onSuccess: () => {
      toastSuccess(t('saved.title'), t('saved.text'))
      begin(null)
      return queryClient.invalidateQueries(notificationsQuery)
    },
  })
}
