import { Button } from '@mantine/core'
import { deliveryStates, mailServerId, type Webhook, type WebhookDelivery, webhookEvents } from '@roomkeeper/contract'
import { IconPencil, IconRepeat, IconSend } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { loadStateOf } from '#api/queries.ts'
import { IconAction } from '#ui/ActionButtons.tsx'
import { DisclosureButton } from '#ui/DisclosureButton.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { formatMoment, useNumberFormat } from '#ui/format.ts'
import { ListPage, PagedTable } from '#ui/ListPage.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import type { Column, RowContext } from '#ui/table/column.ts'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { usePagedSearch } from '#ui/use-paged-search.ts'
import { DeliveryDetails, mailOf } from './DeliveryDetails.tsx'
import { DeliveryStatePill, useAnswerText } from './DeliveryOutcome.tsx'
import { openWebhookDialog } from './open-webhook-dialog.tsx'
import { deliveriesQuery, refetchWebhooks, webhooksQuery } from './queries.ts'
import { TestDialog } from './TestDialog.tsx'
import { useEventsText } from './use-events-text.ts'
import { WebhookState } from './WebhookState.tsx'
import classes from './Webhooks.module.css'

/** More events than these are only counted. */
const maxEventsNamed = 3

/** What was sent to a webhook in the last 30 days, newest first. For administrators. @param id of the webhook */
export function DeliveriesPage({ id }: { id: string }) {
  // Also the texts of a conflict; see `loadTexts`.
  const { t } = useTranslation(['webhooks', 'meanwhile'])
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: webhooks } = useQuery(webhooksQuery)
  const webhook = webhooks?.find((each) => each.id === id)
  const isOfMails = id === mailServerId
  const isGone = webhooks !== undefined && webhook === undefined && !isOfMails
  const goToAll = () => void navigate({ to: '/project/webhooks/{-$id}', params: { id: undefined } })
  const plain = t(isOfMails ? 'mails.title' : 'deliveries.plain')
  return (
    <ListPage
      title={webhook === undefined ? plain : t('deliveries.title', { name: webhook.name })}
      onBack={goToAll}
      beside={webhook !== undefined && <WebhookState webhook={webhook} />}
      hint={isOfMails ? t('mails.hint') : undefined}
      onRefresh={webhook && (() => refetchWebhooks(queryClient))}
      actions={webhook && <Actions webhook={webhook} />}
    >
      {!isGone && !isOfMails && <Target webhook={webhook} />}
      {isGone ? <Gone onBack={goToAll} /> : <Deliveries id={id} />}
    </ListPage>
  )
}

/** Where events go, and which. Its place is kept while they load. */
function Target({ webhook }: { webhook: Webhook | undefined }) {
  const { t } = useTranslation('webhooks')
  const eventsText = useEventsText()
  if (webhook === undefined) return <p className={classes.target}>&nbsp;</p>
  const { url, events } = webhook
  const shown =
    events.length > maxEventsNamed + 1 && events.length < webhookEvents.length ? maxEventsNamed : events.length
  const count = events.length - shown
  const names = eventsText(events.slice(0, shown))
  return (
    <p className={classes.target}>
      <span>{url}</span>
      <span>{count === 0 ? names : t('deliveries.andMore', { names, count })}</span>
    </p>
  )
}

function Gone({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation('webhooks')
  const toAll = (
    <Button variant="default" onClick={onBack}>
      {t('deliveries.toAll')}
    </Button>
  )
  return <EmptyState icon={IconSend} title={t('deliveries.gone')} text={t('deliveries.goneText')} action={toAll} />
}

function Actions({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  return (
    <>
      <ToolbarButton icon={IconPencil} onClick={() => openWebhookDialog(webhook)}>
        {t('edit.button')}
      </ToolbarButton>
      <ToolbarButton icon={IconSend} onClick={() => openDialog(<TestDialog webhook={webhook} />)}>
        {t('test.button')}
      </ToolbarButton>
    </>
  )
}

function Deliveries({ id }: { id: string }) {
  const { t } = useTranslation('webhooks')
  const list = usePagedSearch('/project/_signed-in/webhooks/{-$id}', {
    name: 'webhook-deliveries',
    filters: ['state'],
  })
  const { state } = list.search
  const query = useQuery(deliveriesQuery(id, { ...list.wanted, state }))
  return (
    <PagedTable
      label={t('deliveries.plain')}
      list={list}
      found={query.data}
      columns={useColumns(id)}
      rowId={(delivery) => delivery.id}
      details={(delivery) => (
        <DeliveryDetails delivery={delivery}>
          <SendAgain id={id} delivery={delivery} />
        </DeliveryDetails>
      )}
      load={loadStateOf(query, t('deliveries.failed'))}
      filter={{
        choice: {
          label: t('deliveries.columns.state'),
          width: 170,
          all: t('deliveries.allStates'),
          values: deliveryStates,
          labelOf: (each) => t(`deliveries.states.${each}`),
          chosen: state,
          onChoose: (chosen) => list.change({ state: chosen }),
        },
      }}
      none={{
        icon: IconSend,
        title: t('deliveries.none'),
        text: t(id === mailServerId ? 'mails.noneText' : 'deliveries.noneText'),
      }}
      noMatch={{ title: t('deliveries.noMatch'), text: t('deliveries.noMatchText') }}
    />
  )
}

function useColumns(id: string): Column<WebhookDelivery>[] {
  const { t } = useTranslation('webhooks')
  const number = useNumberFormat()
  const answerOf = useAnswerText()
  return [
    {
      id: 'at',
      title: t('deliveries.columns.at'),
      text: 'wrapped',
      size: { share: 5, atLeast: 96 },
      cell: ({ at }) => <time dateTime={at}>{formatMoment(at)}</time>,
    },
    {
      id: 'type',
      title: t(id === mailServerId ? 'mails.to' : 'deliveries.columns.type'),
      isName: true,
      text: 'wrapped',
      size: { share: 4, atLeast: 124 },
      cell: nameOf,
    },
    {
      id: 'state',
      title: t('deliveries.columns.state'),
      text: 'whole',
      size: 128,
      cell: (delivery) => <DeliveryStatePill {...delivery} />,
    },
    {
      id: 'room',
      title: t('deliveries.columns.room'),
      text: 'wrapped',
      size: { share: 6, atLeast: 120 },
      cell: ({ room }) =>
        room !== null && (
          <Link to="/project/edit_project_room/$id" params={{ id: room }}>
            {room}
          </Link>
        ),
    },
    {
      id: 'answer',
      title: t('deliveries.columns.answer'),
      text: 'wrapped',
      size: { share: 8, atLeast: 124 },
      cell: answerOf,
    },
    {
      id: 'tries',
      title: t('deliveries.columns.tries'),
      text: 'whole',
      align: 'end',
      size: 76,
      cell: ({ tries }) => number.format(tries),
    },
    {
      id: 'next',
      title: t('deliveries.columns.next'),
      text: 'wrapped',
      size: { share: 5, atLeast: 96 },
      cell: ({ nextTryAt }) => nextTryAt !== null && <time dateTime={nextTryAt}>{formatMoment(nextTryAt)}</time>,
    },
    {
      id: 'actions',
      title: t('deliveries.columns.actions'),
      isActions: true,
      size: 124,
      cell: (delivery, details) => <RowActions id={id} delivery={delivery} details={details} />,
    },
  ]
}

interface OneDeliveryProps {
  /** Of the webhook. */
  id: string
  delivery: WebhookDelivery
}

/** The address of an e-mail, the event of any other delivery. */
function nameOf(delivery: WebhookDelivery): string {
  return mailOf(delivery)?.to ?? delivery.type
}

function RowActions({ id, delivery, details }: OneDeliveryProps & { details: RowContext }) {
  const { t } = useTranslation('webhooks')
  const again = useSendAgain(id)
  const named = { type: nameOf(delivery), at: formatMoment(delivery.at) }
  return (
    <div className={classes.rowActions}>
      <DisclosureButton
        isOpen={details.isOpen}
        toggle={details.toggle}
        controls={details.id}
        aria-label={t('deliveries.detailsOf', named)}
      >
        {t('deliveries.details')}
      </DisclosureButton>
      <IconAction
        label={t('resend.label', named)}
        icon={IconRepeat}
        isBusy={again.isPending}
        onClick={() => again.mutate(delivery.id)}
      />
    </div>
  )
}

function SendAgain({ id, delivery }: OneDeliveryProps) {
  const { t } = useTranslation('webhooks')
  const again = useSendAgain(id)
  return (
    <div>
      <Button size="xs" variant="default" loading={again.isPending} onClick={() => again.mutate(delivery.id)}>
        {t('resend.button')}
      </Button>
    </div>
  )
}

/** Sends a delivery again at once, and says how it went. @param id of the webhook */
function useSendAgain(id: string) {
  const { t } = useTranslation('webhooks')
  const queryClient = useQueryClient()
  const answerOf = useAnswerText()
  return useMutation({
    mutationFn: async (deliveryId: string) =>
      (await client.call('resendWebhookDelivery', { params: { id, deliveryId } })).body,
    // The row says why it was not taken; a toast has no room for it.
    onSuccess: (delivery: WebhookDelivery) => {
      if (delivery.failure === null) toastSuccess(delivery.type, t('resend.taken', { answer: answerOf(delivery) }))
      else toastError(delivery.type, t('resend.notTaken'))
    },
    meta: { failed: t('resend.failed') },
    onSettled: () => refetchWebhooks(queryClient),
  })
}
