import type { BackupPolicy } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { isRefusal } from '#api/text-of-error.ts'
import { textOfRefusal } from '#ui/coded-text.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { DialogButtons, Form, FormFailure } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { StoredMeanwhile } from '#ui/form/StoredMeanwhile.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { toastSuccess } from '#ui/toast.ts'
import { BackupPolicyFields } from './BackupPolicyFields.tsx'
import {
  type BackupPolicyForm,
  changedSettings,
  draftOf,
  errorsOf,
  formOf,
  newPolicyForm,
  pathOf,
  rebased,
  type Setting,
} from './backup-policy-form.ts'
import { PolicyPreview } from './PolicyPreview.tsx'
import { policiesQuery } from './queries.ts'
import { usePolicyWords } from './use-words.ts'

/** Adds or changes a backup policy. @param props.policy null for a new one */
export function BackupPolicyDialog({ policy }: { policy: BackupPolicy | null }) {
  const { t } = useTranslation('backup-policies')
  return (
    <FormDialog title={policy === null ? t('new.title') : t('edit.title', { name: policy.name })} width="most">
      <PolicyEntries stored={policy} />
    </FormDialog>
  )
}

function PolicyEntries({ stored: opened }: { stored: BackupPolicy | null }) {
  // The texts of a conflict are loaded with the form: loading them later would take the focus away from it.
  const { t } = useTranslation(['backup-policies', 'meanwhile'])
  // What the entries are based on, and what a colleague has stored since then.
  const [stored, setStored] = useState(opened)
  const [newer, setNewer] = useState<BackupPolicy | null>(null)
  const form = usePolicyForm({ stored, onSaved: useCloseDialog(), onStale: setNewer })
  const goOnFrom = (now: BackupPolicy, values: BackupPolicyForm) => {
    setStored(now)
    setNewer(null)
    form.load(values)
  }
  return (
    <Form form={form}>
      <BackupPolicyFields form={form} />
      {newer === null || stored === null ? (
        <FormFailure title={stored === null ? t('new.failed') : t('edit.failed')} />
      ) : (
        <ChangedPolicy
          mine={form.values}
          stored={newer}
          onTakeStored={() => goOnFrom(newer, formOf(newer))}
          onKeepMine={() => goOnFrom(newer, rebased(form.values, stored, newer))}
        />
      )}
      <DialogButtons submit={t('save')} why={newer === null ? null : t('decideFirst')}>
        <PolicyPreview form={form.values} />
      </DialogButtons>
    </Form>
  )
}

interface ChangedPolicyProps {
  mine: BackupPolicyForm
  stored: BackupPolicy
  onTakeStored: () => void
  onKeepMine: () => void
}

/** A colleague has changed the policy: each setting that differs, as it is entered and as it is stored. */
function ChangedPolicy({ mine, stored, ...decide }: ChangedPolicyProps) {
  const { t } = useTranslation('backup-policies')
  const textOfSetting = useTextOfSetting()
  const fields = changedSettings(mine, stored).map((setting) => ({
    label: t(`settings.${setting}`),
    mine: textOfSetting(setting, mine),
    stored: textOfSetting(setting, formOf(stored)),
  }))
  return <StoredMeanwhile title={textOfRefusal('backup-policy-stale')} fields={fields} {...decide} />
}

/** @returns a function that says the value of a setting */
function useTextOfSetting(): (setting: Setting, form: BackupPolicyForm) => string {
  const { t } = useTranslation('backup-policies')
  const words = usePolicyWords()
  return (setting, form) => {
    const draft = draftOf(form)
    if (setting === 'schedule') return words.schedule(draft.schedule)
    if (setting === 'keep') return words.keep(draft.keep)
    if (setting === 'isOn') return form.isOn ? t('states.on') : t('states.off')
    if (setting === 'kind') return t(`kinds.${form.kind}`)
    const text = {
      regions: words.regions(form.regions),
      products: form.products.join(', '),
      editions: words.editions(form.editions),
      name: form.name,
      search: form.search,
      verifyEvery: String(form.verifyEvery),
    }[setting]
    return text === '' ? '–' : text
  }
}

interface PolicyFormOptions {
  /** Null for a new policy. */
  stored: BackupPolicy | null
  onSaved: () => void
  /** A colleague has changed the policy meanwhile. */
  onStale: (now: BackupPolicy) => void
}

function usePolicyForm({ stored, onSaved, onStale }: PolicyFormOptions) {
  const { t } = useTranslation('backup-policies')
  const queryClient = useQueryClient()
  const initial = stored === null ? newPolicyForm : formOf(stored)
  return useResourceForm({
    initial,
    checks: errorsOf,
    pathOf,
    refusals: { 'backup-policy-name-taken': 'name', 'object-store-not-set': 'kind', 'invalid-filter': 'search' },
    submit: async (form) => {
      if (stored === null) return (await client.call('createBackupPolicy', { body: draftOf(form) })).body
      const { id, version } = stored
      return (await client.call('changeBackupPolicy', { params: { id }, body: { ...draftOf(form), version } })).body
    },
    // Entries that were carried over to a newer version are unsaved, although the form began with them.
    isUnsaved: (form) => JSON.stringify(form) !== JSON.stringify(initial),
    onError: async (error) => {
      if (stored === null || !isRefusal(error, 'backup-policy-stale')) return
      const policies = await queryClient.fetchQuery({ ...policiesQuery, staleTime: 0 })
      const now = policies.find(({ id }) => id === stored.id)
      if (now !== undefined) onStale(now)
    },
    onSuccess: ({ name }) => {
      toastSuccess(name, stored === null ? t('new.saved') : t('edit.saved'))
      onSaved()
      return queryClient.invalidateQueries({ queryKey: policiesQuery.queryKey })
    },
  })
}
