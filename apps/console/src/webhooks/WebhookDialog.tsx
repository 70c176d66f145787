import { type Webhook, webhookDraft } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { isRefusal } from '#api/text-of-error.ts'
import { textOfRefusal } from '#ui/coded-text.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { CheckField, TextField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form, FormFailure } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useField } from '#ui/form/resource-form.ts'
import { StoredMeanwhile } from '#ui/form/StoredMeanwhile.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { formatMoment } from '#ui/format.ts'
import { toastSuccess } from '#ui/toast.ts'
import { EventsField } from './EventsField.tsx'
import { refetchWebhooks, webhooksQuery } from './queries.ts'
import { useEventsText } from './use-events-text.ts'
import { useShowSecret } from './use-webhook-changes.ts'
import classes from './Webhooks.module.css'
import { changedSettings, formOf, newWebhookForm, rebased, type WebhookForm } from './webhook-form.ts'

/** Adds or changes a webhook. @param props.webhook null for a new one */
export function WebhookDialog({ webhook }: { webhook: Webhook | null }) {
  const { t } = useTranslation('webhooks')
  return (
    <FormDialog title={webhook === null ? t('create.title') : t('edit.title', { name: webhook.name })} width="most">
      <WebhookEntries stored={webhook} />
    </FormDialog>
  )
}

function WebhookEntries({ stored: opened }: { stored: Webhook | null }) {
  const { t } = useTranslation(['webhooks', 'meanwhile'])
  // What the entries are based on, and what a colleague has stored since then.
  const [stored, setStored] = useState(opened)
  const [newer, setNewer] = useState<Webhook | null>(null)
  const form = useWebhookForm({ stored, onSaved: useCloseDialog(), onStale: setNewer })
  const goOnFrom = (now: Webhook, values: WebhookForm) => {
    setStored(now)
    setNewer(null)
    form.load(values)
  }
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
        classNames={{ description: classes.note }}
      />
      {stored !== null && <History {...stored} />}
      {newer === null || stored === null ? (
        <FormFailure title={stored === null ? t('create.failed') : t('edit.failed')} />
      ) : (
        <ChangedWebhook
          mine={form.values}
          stored={newer}
          onTakeStored={() => goOnFrom(newer, formOf(newer))}
          onKeepMine={() => goOnFrom(newer, rebased(form.values, stored, newer))}
        />
      )}
      <DialogButtons
        submit={stored === null ? t('create.confirm') : t('save')}
        why={newer === null ? null : t('decideFirst')}
      />
    </Form>
  )
}

/** By whom, which may have been a token that was stolen. */
function History({ createdAt, createdBy, changedAt, changedBy }: Webhook) {
  const { t } = useTranslation('webhooks')
  const times = { createdAt: formatMoment(createdAt), changedAt: formatMoment(changedAt) }
  return <p className={classes.note}>{t('history', { ...times, createdBy, changedBy })}</p>
}

/** What is wrong stands in the place of the hint, so that a click on what is below it does not miss. */
function UrlField() {
  const { t } = useTranslation('webhooks')
  const isWrong = useField<string>('url').input.error !== undefined
  return (
    <TextField
      name="url"
      label={t('fields.url')}
      description={isWrong ? undefined : t('fields.urlHint')}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      withAsterisk
      type="url"
      placeholder="https://"
      autoComplete="off"
      spellCheck={false}
    />
  )
}

interface ChangedWebhookProps {
  mine: WebhookForm
  stored: Webhook
  onTakeStored: () => void
  onKeepMine: () => void
}

/** A colleague has changed the webhook: each setting that differs, as it is entered and as it is stored. */
function ChangedWebhook({ mine, stored, ...decide }: ChangedWebhookProps) {
  const { t } = useTranslation('webhooks')
  const eventsText = useEventsText()
  const textIn = ({ isOn, events, name, url }: WebhookForm) => ({
    name,
    url,
    events: eventsText(events),
    isOn: isOn ? t('states.on') : t('states.off'),
  })
  const fields = changedSettings(mine, stored).map((setting) => ({
    label: t(`fields.${setting}`),
    mine: textIn(mine)[setting] || '–',
    stored: textIn(formOf(stored))[setting],
  }))
  return <StoredMeanwhile title={textOfRefusal('webhook-stale')} fields={fields} {...decide} />
}

interface WebhookFormOptions {
  /** Null for a new webhook. */
  stored: Webhook | null
  onSaved: () => void
  /** A colleague has changed the webhook meanwhile. */
  onStale: (now: Webhook) => void
}

function useWebhookForm({ stored, onSaved, onStale }: WebhookFormOptions) {
  const { t } = useTranslation('webhooks')
  const queryClient = useQueryClient()
  const show = useShowSecret()
  const initial = stored === null ? newWebhookForm : formOf(stored)
  return useResourceForm({
    initial,
    schema: webhookDraft,
    pathOf: (field) => field.split('.')[0] ?? field,
    refusals: { 'webhook-name-taken': 'name' },
    submit: async (body) => {
      if (stored === null) return (await client.call('createWebhook', { body })).body.secret
      const { id, version } = stored
      await client.call('changeWebhook', { params: { id }, body: { ...body, version } })
      return null
    },
    // Entries that were carried over to a newer version are unsaved, although the form began with them.
    isUnsaved: (form) => JSON.stringify(form) !== JSON.stringify(initial),
    onError: async (error) => {
      if (stored === null || !isRefusal(error, 'webhook-stale')) return
      const webhooks = await queryClient.fetchQuery({ ...webhooksQuery, staleTime: 0 })
      const now = webhooks.find(({ id }) => id === stored.id)
      if (now !== undefined) onStale(now)
    },
    onSuccess: (secret, { name }) => {
      onSaved()
      if (secret === null) toastSuccess(name, t('edit.done'))
      else show({ name, secret, isRenewed: false })
      return refetchWebhooks(queryClient)
    },
  })
}
