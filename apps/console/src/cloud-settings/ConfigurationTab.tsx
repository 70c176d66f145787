import { Skeleton } from '@mantine/core'
import { type CloudConfiguration, cloudConfiguration } from '@roomkeeper/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { apiQuery } from '#api/queries.ts'
import { textOf } from '#locales/error-texts.ts'
import { useLeaveGuard } from '#ui/dialog/confirm.tsx'
import { FieldGrid } from '#ui/form/FieldGrid.tsx'
import { TextField } from '#ui/form/Fields.tsx'
import { Form, FormFailure, SubmitButton } from '#ui/form/Form.tsx'
import { useUnsavedEntries } from '#ui/form/FormDialog.tsx'
import { FormFoot } from '#ui/form/FormFoot.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { toastSuccess } from '#ui/toast.ts'

/** The settings for all regions: the video for new users. */
export function ConfigurationTab() {
  const { t } = useTranslation('cloud')
  const { data, error, refetch } = useQuery(cloudConfigurationQuery)
  if (data !== undefined) return <ConfigurationForm saved={data} />
  // As high as the form: what is below must not move when it comes.
  if (error === null) return <Skeleton height={132} />
  return <LoadFailure title={t('configuration.loadFailed')} text={textOf(error)} onAgain={() => void refetch()} />
}

function ConfigurationForm({ saved }: { saved: CloudConfiguration }) {
  const { t } = useTranslation(['cloud', 'app'])
  const queryClient = useQueryClient()
  const form = useResourceForm({
    initial: saved,
    followsStored: true,
    bodyOf: ({ youtubeIdentifier }) => ({ youtubeIdentifier: youtubeIdentifier.trim() }),
    schema: cloudConfiguration,
    showsAtOnce: () => true,
    isUnsaved: ({ youtubeIdentifier }) => youtubeIdentifier.trim() !== saved.youtubeIdentifier,
    submit: async (body) => (await client.call('saveConfiguration', { body })).body,
    onSuccess: (stored) => {
      queryClient.setQueryData(cloudConfigurationQuery.queryKey, stored)
      toastSuccess(t('configuration.title'), t('configuration.saved'))
    },
  })
  const isGuarded = useUnsavedEntries(form.isUnsaved)
  useLeaveGuard({
    isNeeded: () => !isGuarded && form.isUnsaved(),
    title: t('app:unsaved.title'),
    text: t('app:unsaved.question'),
    stay: t('app:unsaved.keep'),
    leave: t('app:unsaved.discard'),
  })
  return (
    <Form form={form}>
      <FieldGrid>
        <TextField
          name="youtubeIdentifier"
          label={t('configuration.video')}
          description={t('configuration.hint')}
          autoComplete="off"
          spellCheck={false}
        />
      </FieldGrid>
      <FormFailure title={t('configuration.failed')} />
      <FormFoot>
        <SubmitButton>{t('save')}</SubmitButton>
      </FormFoot>
    </Form>
  )
}

const cloudConfigurationQuery = apiQuery(['cloud-configuration'], 'configuration', {})
