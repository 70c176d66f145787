import { Skeleton } from '@mantine/core'
import { type CloudConfiguration, cloudConfiguration } from '@roomkeeper/contract'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { TextField } from '#ui/form/Fields.tsx'
import { Form, FormFailure, SubmitButton } from '#ui/form/Form.tsx'
import type { FormErrors } from '#ui/form/resource-form.ts'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { toastSuccess } from '#ui/toast.ts'
import classes from './ConfigurationTab.module.css'

/** The settings for all regions: the video for new users. */
export function ConfigurationTab() {
  const { t } = useTranslation('cloud')
  const { data, error, refetch } = useQuery(cloudConfigurationQuery)
  if (data !== undefined) return <ConfigurationForm saved={data} />
  if (error === null) return <Skeleton height={96} />
  return <LoadFailure title={t('configuration.loadFailed')} text={textOf(error)} onAgain={() => void refetch()} />
}

function ConfigurationForm({ saved }: { saved: CloudConfiguration }) {
  const { t } = useTranslation('cloud')
  const queryClient = useQueryClient()
  const form = useResourceForm({
    initial: saved,
    followsStored: true,
    bodyOf: ({ youtubeIdentifier }) => ({ youtubeIdentifier: youtubeIdentifier.trim() }),
    checks: (entered): FormErrors =>
      cloudConfiguration.safeParse(entered).success ? {} : { youtubeIdentifier: t('configuration.invalid') },
    showsAtOnce: () => true,
    isUnsaved: ({ youtubeIdentifier }) => youtubeIdentifier.trim() !== saved.youtubeIdentifier,
    submit: async (body) => (await client.call('saveConfiguration', { body })).body,
    onSuccess: (stored) => {
      queryClient.setQueryData(cloudConfigurationQuery.queryKey, stored)
      toastSuccess(t('configuration.title'), t('configuration.saved'))
    },
  })
  return (
    <Form form={form} className={classes.form}>
      <TextField
        name="youtubeIdentifier"
        label={t('configuration.video')}
        description={t('configuration.hint')}
        autoComplete="off"
        spellCheck={false}
      />
      <FormFailure title={t('configuration.failed')} />
      <div>
        <SubmitButton>{t('save')}</SubmitButton>
      </div>
    </Form>
  )
}

const cloudConfigurationQuery = queryOptions({
  queryKey: ['cloud-configuration'],
  queryFn: async ({ signal }) => (await client.call('configuration', { signal })).body,
  staleTime: 0,
})
