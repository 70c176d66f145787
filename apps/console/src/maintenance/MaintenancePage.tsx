import { Button } from '@mantine/core'
import { type Maintenance, maintenanceChange, maximumMaintenanceMessage } from '@roomkeeper/contract'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#locales/error-texts.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { CheckField, TextAreaField } from '#ui/form/Fields.tsx'
import { FormFailure, FormPage, SubmitButton } from '#ui/form/Form.tsx'
import { FormFoot } from '#ui/form/FormFoot.tsx'
import type { FormErrors } from '#ui/form/resource-form.ts'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { useNumberFormat } from '#ui/format.ts'
import { BackButton, Page, Section } from '#ui/Page.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { maintenanceQuery, useMaintenance } from './use-maintenance.ts'

/** The screen that turns the maintenance mode of the site on and off. */
export function MaintenancePage() {
  const { t } = useTranslation(['maintenance', 'app'])
  const { data, error, isPending, refetch } = useMaintenance()
  if (isPending) return <FullScreenSpinner />
  return (
    <Page title={t('title')} width="form" before={<BackButton />}>
      {data === undefined ? (
        <EmptyState
          isError
          icon={IconPlugConnectedX}
          title={t('loadFailed')}
          text={textOf(error)}
          action={<Button onClick={() => void refetch()}>{t('app:tryAgain')}</Button>}
        />
      ) : (
        <MaintenanceForm stored={data} />
      )}
    </Page>
  )
}

/** @param stored the stored setting; the form follows changes by others until something is entered */
function MaintenanceForm({ stored }: { stored: Maintenance }) {
  const { t } = useTranslation('maintenance')
  const form = useMaintenanceForm(stored)
  const leave = {
    title: t('leave.title'),
    text: t('leave.text'),
    stay: t('leave.stay'),
    leave: t('leave.discard'),
  }
  return (
    <FormPage form={form} leave={leave} aria-label={t('title')}>
      <Section title={t('section')} hint={t('hint')}>
        <FormFailure title={t('failed')} />
        <div data-wide>
          <CheckField name="maintenanceMode" label={t('mode')} />
        </div>
        <div data-wide>
          <TextAreaField
            name="maintenanceMessage"
            label={t('message')}
            withAsterisk
            required
            minRows={6}
            maxRows={18}
          />
        </div>
        <FormFoot note={<Counter length={form.values.maintenanceMessage.trim().length} />}>
          <SubmitButton>{t('save')}</SubmitButton>
        </FormFoot>
      </Section>
    </FormPage>
  )
}

function Counter({ length }: { length: number }) {
  const { t } = useTranslation('maintenance')
  const number = useNumberFormat()
  return (
    <span className="numbers">
      {t('counter', { length: number.format(length), maximum: number.format(maximumMaintenanceMessage) })}
    </span>
  )
}

function useMaintenanceForm(stored: Maintenance) {
  const { t } = useTranslation('maintenance')
  const queryClient = useQueryClient()
  const isBlank = (message: string) => message.trim() === ''
  return useResourceForm({
    initial: stored,
    followsStored: true,
    checks: ({ maintenanceMessage: message }): FormErrors =>
      maintenanceChange.shape.maintenanceMessage.safeParse(message).success
        ? {}
        : {
            maintenanceMessage: isBlank(message)
              ? t('required')
              : t('tooLong', { max: String(maximumMaintenanceMessage) }),
          },
    showsAtOnce: (_, { maintenanceMessage }) => !isBlank(maintenanceMessage),
    submit: async (body) => (await client.call('saveMaintenance', { body })).body,
    onSuccess: (saved) => {
      queryClient.setQueryData(maintenanceQuery.queryKey, saved)
      toastSuccess(t('title'), t('saved'))
    },
  })
}
