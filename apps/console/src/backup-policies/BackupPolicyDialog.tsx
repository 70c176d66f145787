import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { BackupPolicy } from '@roomkeeper/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#locales/error-texts.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { DialogButtons, Form } from '#ui/form/Form.tsx'
import { FormOutcome } from '#ui/form/FormConflict.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useStoredForm } from '#ui/form/use-stored-form.ts'
import { formatBytes, useNumberFormat } from '#ui/format.ts'
import { toastSuccess } from '#ui/toast.ts'
import classes from './BackupPolicies.module.css'
import { BackupPolicyFields } from './BackupPolicyFields.tsx'
import {
  type BackupPolicyForm,
  draftOf,
  errorsOf,
  formOf,
  type PolicySetting,
  pathOf,
  policySettings,
} from './backup-policy-form.ts'
import { policiesQuery, previewQuery } from './queries.ts'
import { usePolicyWords } from './use-words.ts'

/** Adds or changes a backup policy. @param props.policy null for a new one */
export function BackupPolicyDialog({ policy }: { policy: BackupPolicy | null }) {
  const { t } = useTranslation('backup-policies')
  return (
    <FormDialog title={policy === null ? t('new.title') : t('edit.title', { name: policy.name })} width="wide">
      <PolicyEntries stored={policy} />
    </FormDialog>
  )
}

function PolicyEntries({ stored }: { stored: BackupPolicy | null }) {
  const { t } = useTranslation('backup-policies')
  const { form, conflict } = usePolicyForm(stored)
  const textOfSetting = useTextOfSetting()
  return (
    <Form form={form}>
      <BackupPolicyFields form={form} />
      <FormOutcome
        title={stored === null ? t('new.failed') : t('edit.failed')}
        conflict={conflict}
        labelOf={(setting) => t(`settings.${setting}`)}
        textOf={textOfSetting}
      />
      <DialogButtons submit={t('save')}>
        <PolicyPreview form={form.values} />
      </DialogButtons>
    </Form>
  )
}

/** @returns a function that says the value of a setting */
function useTextOfSetting(): (setting: PolicySetting, form: BackupPolicyForm) => string {
  const { t } = useTranslation('backup-policies')
  const words = usePolicyWords()
  return (setting, form) => {
    const draft = draftOf(form)
    if (setting === 'schedule') return words.schedule(draft.schedule)
    if (setting === 'keep') return words.keep(draft.keep)
    if (setting === 'isOn') return form.isOn ? t('states.on') : t('states.off')
    if (setting === 'kind') return t(`kinds.${form.kind}`)
    return {
      regions: words.regions(form.regions),
      products: form.products.join(', '),
      editions: words.editions(form.editions),
      name: form.name,
      search: form.search,
      verifyEvery: String(form.verifyEvery),
    }[setting]
  }
}

function usePolicyForm(stored: BackupPolicy | null) {
  const { t } = useTranslation('backup-policies')
  const queryClient = useQueryClient()
  const close = useCloseDialog()
  const refetch = async () => (await queryClient.fetchQuery(policiesQuery)).find(({ id }) => id === stored?.id)
  return useStoredForm(
    {
      stored,
      valuesOf: formOf,
      bodyOf: draftOf,
      settings: policySettings,
      refusal: 'backup-policy-stale',
      refetch,
    },
    (base) => ({
      checks: errorsOf,
      pathOf,
      refusals: { 'backup-policy-name-taken': 'name', 'object-store-not-set': 'kind', 'invalid-filter': 'search' },
      submit: async (body) => {
        if (base === null) return (await client.call('createBackupPolicy', { body })).body
        const { id, version } = base
        return (await client.call('changeBackupPolicy', { params: { id }, body: { ...body, version } })).body
      },
      onSuccess: ({ name }) => {
        toastSuccess(name, stored === null ? t('new.saved') : t('edit.saved'))
        close()
        return queryClient.invalidateQueries({ queryKey: policiesQuery.queryKey })
      },
    }),
  )
}

const typingMilliseconds = 400

/** What the entries come to, while they are changed: how many rooms, and how much space once retention is full. */
function PolicyPreview({ form }: { form: BackupPolicyForm }) {
  const { t, i18n } = useTranslation('backup-policies')
  const number = useNumberFormat()
  const [settled] = useDebouncedValue(form, typingMilliseconds)
  const { name: _, verifyEvery: __, ...wrong } = errorsOf(settled)
  const isPossible = Object.keys(wrong).length === 0
  const { data, error, isPlaceholderData } = useQuery({ ...previewQuery(draftOf(settled)), enabled: isPossible })
  const text = () => {
    if (error !== null) return t('preview.failed', { message: textOf(error) })
    if (!isPossible || data === undefined) return t('preview.waits')
    if (data.rooms === 0) return t('preview.none')
    const rooms = t('preview.rooms', { count: data.rooms, n: number.format(data.rooms) })
    const backups = t('preview.backups', { count: data.backupsPerRoom, n: number.format(data.backupsPerRoom) })
    const space =
      data.bytes === null ? t('preview.unknown') : t('preview.space', { size: formatBytes(data.bytes, i18n.language) })
    return `${rooms} ${backups} ${space}`
  }
  return (
    <section aria-label={t('preview.title')} className={classes.preview}>
      <Text component="strong" inherit display="block" c="dimmed" fz="xs" fw={500}>
        {t('preview.title')}
      </Text>
      <p role="status" className={`rk-text ${isPlaceholderData ? 'rk-outdated' : ''}`}>
        {text()}
      </p>
    </section>
  )
}
