import { mailServerId, mostWaitingCounted, type Webhook } from '@roomkeeper/contract'
import {
  IconKey,
  IconListDetails,
  IconPencil,
  IconPlus,
  IconSend,
  IconToggleLeft,
  IconToggleRight,
  IconTrash,
  IconWebhook,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { loadStateOf } from '#api/queries.ts'
import { IconAction } from '#ui/ActionButtons.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { formatMoment, useNumberFormat } from '#ui/format.ts'
import { ListPage } from '#ui/ListPage.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import type { Column } from '#ui/table/column.ts'
import { Table } from '#ui/table/Table.tsx'
import { usePageKeys } from '#ui/table/use-page-keys.tsx'
import { openWebhookDialog } from './open-webhook-dialog.tsx'
import { webhooksQuery } from './queries.ts'
import { TestDialog } from './TestDialog.tsx'
import { useEventsText } from './use-events-text.ts'
import { useDeleteWebhook, useRenewSecret, useSwitchWebhook } from './use-webhook-changes.ts'
import { WebhookState } from './WebhookState.tsx'
import classes from './Webhooks.module.css'

/** All webhooks, and the actions on each. For administrators. */
export function WebhooksPage() {
  // Also the texts of a conflict; see `loadTexts`.
  const { t } = useTranslation(['webhooks', 'meanwhile'])
  const query = useQuery(webhooksQuery)
  usePageKeys({})
  return (
    <ListPage
      title={t('title')}
      hint={
        <>
          {t('hint')}{' '}
          <Link to="/project/webhooks/{-$id}" params={{ id: mailServerId }}>
            {t('mails.title')}
          </Link>
        </>
      }
      onRefresh={query.refetch}
      actions={
        <ToolbarButton icon={IconPlus} variant="filled" onClick={() => openWebhookDialog(null)}>
          {t('new')}
        </ToolbarButton>
      }
    >
      <Table
        label={t('title')}
        layout="page"
        remembered="webhooks"
        hasFocusableRows
        columns={useColumns()}
        rows={query.data}
        rowId={({ id }) => id}
        orderKey="webhooks"
        expectedRows={4}
        load={loadStateOf(query, t('failed'))}
        empty={<EmptyState icon={IconWebhook} title={t('none')} text={t('noneText')} />}
      />
    </ListPage>
  )
}

function useColumns(): Column<Webhook>[] {
  const { t } = useTranslation('webhooks')
  const number = useNumberFormat()
  const eventsText = useEventsText()
  return [
    {
      id: 'name',
      title: t('columns.name'),
      isName: true,
      size: { share: 2, atLeast: 130 },
      cell: ({ id, name }) => (
        <Link to="/project/webhooks/{-$id}" params={{ id }}>
          {name}
        </Link>
      ),
    },
    {
      id: 'state',
      title: t('columns.state'),
      text: 'wrapped',
      size: { share: 2, atLeast: 132 },
      cell: (webhook) => <WebhookState webhook={webhook} />,
    },
    {
      id: 'lastDelivered',
      title: t('columns.lastDelivered'),
      text: 'whole',
      size: 150,
      cell: ({ lastDeliveredAt: at }) => (at === null ? t('never') : <time dateTime={at}>{formatMoment(at)}</time>),
    },
    {
      id: 'waiting',
      title: t('columns.waiting'),
      text: 'whole',
      align: 'end',
      size: 72,
      cell: ({ waiting }) => {
        const n = number.format(waiting)
        return waiting < mostWaitingCounted ? n : t('atLeast', { n })
      },
    },
    { id: 'url', title: t('columns.url'), size: { share: 4, atLeast: 160 }, cell: ({ url }) => url },
    {
      id: 'events',
      title: t('columns.events'),
      size: { share: 3, atLeast: 130 },
      cell: ({ events }) => eventsText(events),
    },
    {
      id: 'changedBy',
      title: t('columns.changedBy'),
      size: { share: 2, atLeast: 124 },
      cell: ({ changedBy }) => changedBy,
    },
    {
      id: 'actions',
      title: t('columns.actions'),
      isActions: true,
      size: 208,
      cell: (webhook) => <WebhookActions webhook={webhook} />,
    },
  ]
}

/** What can be done with a webhook. */
function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const navigate = useNavigate()
  const switching = useSwitchWebhook()
  const renewSecret = useRenewSecret()
  const deleteWebhook = useDeleteWebhook()
  const { id, name, isOn } = webhook
  return (
    <div className={classes.actions}>
      <IconAction
        label={t('actions.deliveries', { name })}
        icon={IconListDetails}
        onClick={() => void navigate({ to: '/project/webhooks/{-$id}', params: { id } })}
      />
      <IconAction
        label={t('actions.test', { name })}
        icon={IconSend}
        onClick={() => openDialog(<TestDialog webhook={webhook} />)}
      />
      <IconAction label={t('actions.edit', { name })} icon={IconPencil} onClick={() => openWebhookDialog(webhook)} />
      <IconAction
        label={isOn ? t('actions.switchOff', { name }) : t('actions.switchOn', { name })}
        icon={isOn ? IconToggleRight : IconToggleLeft}
        isBusy={switching.isPending}
        onClick={() => void switching.run(webhook)}
      />
      <IconAction label={t('actions.renew', { name })} icon={IconKey} onClick={() => void renewSecret(webhook)} />
      <IconAction label={t('actions.delete', { name })} icon={IconTrash} onClick={() => void deleteWebhook(webhook)} />
    </div>
  )
}
