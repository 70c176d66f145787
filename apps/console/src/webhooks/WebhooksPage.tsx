import { mailServerId, mostWaitingCounted, type Webhook } from '@roomkeeper/contract'
import { IconPlus, IconRefresh, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { loadStateOf } from '#api/queries.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { formatMoment, useNumberFormat } from '#ui/format.ts'
import { BackButton, Page } from '#ui/Page.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import type { Column } from '#ui/table/column.ts'
import { Table } from '#ui/table/Table.tsx'
import { usePageKeys } from '#ui/table/use-page-keys.ts'
import { webhooksQuery } from './queries.ts'
import { useEventsText } from './use-events-text.ts'
import { WebhookActions, WebhookDialog } from './WebhookActions.tsx'
import { WebhookState } from './WebhookState.tsx'
import classes from './Webhooks.module.css'

/** All webhooks, and the actions on each. For administrators. */
export function WebhooksPage({ onBack }: { onBack: () => void }) {
  // Also what a conflict says: loading it later would take the focus away from the form.
  const { t } = useTranslation(['webhooks', 'meanwhile'])
  const query = useQuery(webhooksQuery)
  usePageKeys({})
  return (
    <Page
      title={t('title')}
      before={<BackButton onClick={onBack} />}
      actions={
        <>
          <ToolbarButton icon={IconRefresh} onClick={() => void query.refetch()}>
            {t('refresh')}
          </ToolbarButton>
          <ToolbarButton icon={IconPlus} variant="filled" onClick={() => openDialog(<WebhookDialog webhook={null} />)}>
            {t('new')}
          </ToolbarButton>
        </>
      }
    >
      <p className={classes.hint}>
        {t('hint')}{' '}
        <Link to="/project/webhooks/{-$id}" params={{ id: mailServerId }}>
          {t('mails.title')}
        </Link>
      </p>
      <Table
        label={t('title')}
        layout="page"
        remembered="webhooks"
        hasFocusableRows
        columns={useColumns()}
        rows={query.data}
        rowId={({ id }) => id}
        heldFor="webhooks"
        expectedRows={4}
        load={loadStateOf(query, t('failed'))}
        empty={<EmptyState icon={IconWebhook} title={t('none')} text={t('noneText')} />}
      />
    </Page>
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
      text: 'wrapped',
      size: { share: 2, atLeast: 96 },
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
    { id: 'url', title: t('columns.url'), text: 'wrapped', size: { share: 4, atLeast: 160 }, cell: ({ url }) => url },
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
