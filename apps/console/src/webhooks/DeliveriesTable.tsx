import { Button } from '@mantine/core'
import { mailServerId, type WebhookDelivery } from '@roomkeeper/contract'
import { IconRepeat } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconAction } from '#ui/ActionButtons.tsx'
import { formatMoment, useNumberFormat } from '#ui/format.ts'
import type { Column, Details } from '#ui/table/column.ts'
import type { LoadState } from '#ui/table/NotLoaded.tsx'
import type { PagerProps } from '#ui/table/Pager.tsx'
import { Table } from '#ui/table/Table.tsx'
import { usePageKeys } from '#ui/table/use-page-keys.ts'
import { DeliveryDetails } from './DeliveryDetails.tsx'
import { DeliveryStatePill, useAnswerText } from './DeliveryOutcome.tsx'
import { mailOf } from './mail-of.ts'
import { useSendAgain } from './use-send-again.ts'
import classes from './Webhooks.module.css'

interface DeliveriesTableProps {
  /** Of the webhook. */
  id: string
  deliveries: readonly WebhookDelivery[] | undefined
  heldFor: unknown
  load: LoadState
  empty: ReactNode
  pages: PagerProps | undefined
}

export function DeliveriesTable({ id, deliveries, ...rest }: DeliveriesTableProps) {
  const { t } = useTranslation('webhooks')
  usePageKeys(rest)
  return (
    <Table
      label={t('deliveries.plain')}
      layout="page"
      remembered="webhook-deliveries"
      hasFocusableRows
      {...rest}
      columns={useColumns(id)}
      rows={deliveries}
      rowId={(delivery) => delivery.id}
      expectedRows={8}
      details={(delivery) => (
        <DeliveryDetails delivery={delivery}>
          <SendAgain id={id} delivery={delivery} />
        </DeliveryDetails>
      )}
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
          <Link to="/project/edit_project_room/$id" params={{ id: room }} className={classes.room ?? ''}>
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

function RowActions({ id, delivery, details }: OneDeliveryProps & { details: Details }) {
  const { t } = useTranslation('webhooks')
  const again = useSendAgain(id)
  const named = { type: nameOf(delivery), at: formatMoment(delivery.at) }
  return (
    <div className={classes.rowActions}>
      <Button
        variant="subtle"
        size="compact-xs"
        aria-expanded={details.isOpen}
        aria-controls={details.isOpen ? details.id : undefined}
        aria-label={t('deliveries.detailsOf', named)}
        onClick={details.toggle}
      >
        {t('deliveries.details')}
      </Button>
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
