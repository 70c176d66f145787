import { Button, Skeleton, TextInput } from '@mantine/core'
import { type CloudConfiguration, cloudConfiguration } from '@roomkeeper/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { useUnsavedChanges } from '#ui/EditDialog.tsx'
import { LoadFailure } from '#ui/LoadFailure.tsx'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { toastSuccess } from '#ui/toast.ts'
import classes from './ConfigurationTab.module.css'
import { cloudConfigurationQuery } from './queries.ts'

/** What is set for all regions: the video for new users. */
export function ConfigurationTab() {
  const { t } = useTranslation('cloud')
  const { data, error, refetch } = useQuery(cloudConfigurationQuery)
  if (data !== undefined) return <ConfigurationForm saved={data} />
  if (error === null) return <Skeleton height={96} />
  return <LoadFailure title={t('configuration.loadFailed')} text={textOf(error)} onAgain={() => void refetch()} />
}

function ConfigurationForm({ saved }: { saved: CloudConfiguration }) {
  const { t } = useTranslation('cloud')
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? saved.youtubeIdentifier
  const isValid = cloudConfiguration.safeParse({ youtubeIdentifier: text }).success
  const save = useSave(() => setTyped(null))
  useUnsavedChanges(typed !== null && typed.trim() !== saved.youtubeIdentifier)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isValid && !save.isPending) save.mutate({ youtubeIdentifier: text.trim() })
  }
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <TextInput
        label={t('configuration.video')}
        description={t('configuration.hint')}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          save.reset()
        }}
        error={isValid ? undefined : t('configuration.invalid')}
      />
      {save.error !== null && <ProblemAlert title={t('configuration.failed')}>{textOf(save.error)}</ProblemAlert>}
      <div>
        <Button type="submit" disabled={!isValid} loading={save.isPending}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

function useSave(onSaved: () => void) {
  const { t } = useTranslation('cloud')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: CloudConfiguration) => (await client.call('saveConfiguration', { body })).body,
    onSuccess: (saved) => {
      queryClient.setQueryData(cloudConfigurationQuery.queryKey, saved)
      onSaved()
      toastSuccess(t('configuration.title'), t('configuration.saved'))
    },
  })
}
