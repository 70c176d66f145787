import { type Webhook, type WebhookDraft, webhookDraft } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { CheckField, hintBelow, TextField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form } from '#ui/form/Form.tsx'
import { FormOutcome } from '#ui/form/FormConflict.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useField } from '#ui/form/resource-form.ts'
import { useStoredForm } from '#ui/form/use-stored-form.ts'
import { formatMoment } from '#ui/format.ts'
import { toastSuccess } from '#ui/toast.ts'
import { EventsField } from './EventsField.tsx'
import { refetchWebhooks, webhooksQuery } from './queries.ts'
import { useEventsText } from './use-events-text.ts'
import { useShowSecret } from './use-webhook-changes.ts'
import { formOf } from './webhook-form.ts'

/** Adds or changes a webhook. @param props.webhook null for a new one */
export function WebhookDialog({ webhook }: { webhook: Webhook | null }) {
  const { t } = useTranslation('webhooks')
  return (
    <FormDialog title={webhook === null ? t('create.title') : t('edit.title', { name: webhook.name })} width="wide">
      <WebhookEntries stored={webhook} />
    </FormDialog>
  )
}

function WebhookEntries({ stored }: { stored: Webhook | null }) {
  const { t } = useTranslation('webhooks')
  const { form, base, conflict } = useWebhookForm(stored)
  const textOf = useTextOfSetting()
  return (
    <Form form={form}>
      <TextField name="name" label={t('fields.name')} withAsterisk autoComplete="off" />
      <UrlField />
      <EventsField />
      <CheckField
        name="isOn"
        size="xs"
        label={t('fields.isOn')}
        description={t('fields.isOnHint')}
        classNames={{ description: 'rk-note' }}
      />
      {base !== null && <History {...base} />}
      <FormOutcome
        title={stored === null ? t('create.failed') : t('edit.failed')}
        conflict={conflict}
        labelOf={(setting) => t(`fields.${setting}`)}
        textOf={textOf}
      />
      <DialogButtons submit={stored === null ? t('create.confirm') : t('save')} />
    </Form>
  )
}

/** By whom, which may have been a token that was stolen. */
function History({ createdAt, createdBy, changedAt, changedBy }: Webhook) {
  const { t } = useTranslation('webhooks')
  const times = { createdAt: formatMoment(createdAt), changedAt: formatMoment(changedAt) }
  return <p className="rk-note">{t('history', { ...times, createdBy, changedBy })}</p>
}

/** What is wrong stands in the place of the hint, so that a click on what is below it does not miss. */
function UrlField() {
  const { t } = useTranslation('webhooks')
  const isWrong = useField<string>('url').input.error !== undefined
  return (
    <TextField
      {...hintBelow}
      name="url"
      label={t('fields.url')}
      description={isWrong ? undefined : t('fields.urlHint')}
      withAsterisk
      type="url"
      placeholder="https://"
      autoComplete="off"
      spellCheck={false}
    />
  )
}

function useTextOfSetting(): (setting: keyof WebhookDraft, form: WebhookDraft) => string {
  const { t } = useTranslation('webhooks')
  const eventsText = useEventsText()
  return (setting, form) => {
    if (setting === 'isOn') return form.isOn ? t('states.on') : t('states.off')
    return setting === 'events' ? eventsText(form.events) : form[setting]
  }
}

function useWebhookForm(stored: Webhook | null) {
  const { t } = useTranslation('webhooks')
  const queryClient = useQueryClient()
  const close = useCloseDialog()
  const show = useShowSecret()
  const refetch = async () => (await queryClient.fetchQuery(webhooksQuery)).find(({ id }) => id === stored?.id)
  return useStoredForm({ stored, valuesOf: formOf, refusal: 'webhook-stale', refetch }, (base) => ({
    schema: webhookDraft,
    pathOf: (field) => field.split('.')[0] ?? field,
    refusals: { 'webhook-name-taken': 'name' },
    submit: async (body) => {
      if (base === null) return (await client.call('createWebhook', { body })).body.secret
      const { id, version } = base
      await client.call('changeWebhook', { params: { id }, body: { ...body, version } })
      return null
    },
    onSuccess: (secret, { name }) => {
      close()
      if (secret === null) toastSuccess(name, t('edit.done'))
      else show({ name, secret, isRenewed: false })
      return refetchWebhooks(queryClient)
    },
  }))
}
