import { Button } from '@mantine/core'
import { deliveryStates, mailServerId, type Webhook, webhookEvents } from '@roomkeeper/contract'
import { IconPencil, IconRefresh, IconSend } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadStateOf } from '#api/queries.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState, NoMatch } from '#ui/EmptyState.tsx'
import { BackButton, Page } from '#ui/Page.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import { pagesOfSearch, rememberedPageSize } from '#ui/table/Pager.tsx'
import { TableFilter } from '#ui/table/TableFilter.tsx'
import { defaultPageSize, pageSizes } from '#ui/url-search.ts'
import { DeliveriesTable } from './DeliveriesTable.tsx'
import type { DeliveriesSearch } from './deliveries-search.ts'
import { deliveriesQuery, refetchWebhooks, webhooksQuery } from './queries.ts'
import { TestDialog } from './TestDialog.tsx'
import { useEventsText } from './use-events-text.ts'
import { WebhookDialog } from './WebhookActions.tsx'
import { WebhookState } from './WebhookState.tsx'
import classes from './Webhooks.module.css'

const tableId = 'webhook-deliveries'
/** Of the names of its events; more are counted. */
const mostEvents = 3

interface DeliveriesPageProps {
  /** Of the webhook. */
  id: string
  search: DeliveriesSearch
  onSearch: (search: DeliveriesSearch) => void
  onBack: () => void
}

/** What was sent to a webhook in the last 30 days, newest first. For administrators. */
export function DeliveriesPage({ id, search, onSearch, onBack }: DeliveriesPageProps) {
  // Also what a conflict says: loading it later would take the focus away from the form.
  const { t } = useTranslation(['webhooks', 'meanwhile'])
  const { data: webhooks } = useQuery(webhooksQuery)
  const webhook = webhooks?.find((each) => each.id === id)
  const isOfMails = id === mailServerId
  const isGone = webhooks !== undefined && webhook === undefined && !isOfMails
  const plain = t(isOfMails ? 'mails.title' : 'deliveries.plain')
  return (
    <Page
      title={webhook === undefined ? plain : t('deliveries.title', { name: webhook.name })}
      before={<BackButton onClick={onBack} />}
      beside={webhook !== undefined && <WebhookState webhook={webhook} />}
      actions={webhook !== undefined && <Actions webhook={webhook} />}
    >
      {webhook !== undefined && <Target webhook={webhook} />}
      {isOfMails && <p className={classes.hint}>{t('mails.hint')}</p>}
      {isGone ? <Gone onBack={onBack} /> : <Deliveries id={id} search={search} onSearch={onSearch} />}
    </Page>
  )
}

/** Where events go, and which. */
function Target({ webhook: { url, events } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const eventsText = useEventsText()
  const shown = events.length > mostEvents + 1 && events.length < webhookEvents.length ? mostEvents : events.length
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
  const queryClient = useQueryClient()
  return (
    <>
      <ToolbarButton icon={IconRefresh} onClick={() => void refetchWebhooks(queryClient)}>
        {t('refresh')}
      </ToolbarButton>
      <ToolbarButton icon={IconPencil} onClick={() => openDialog(<WebhookDialog webhook={webhook} />)}>
        {t('edit.button')}
      </ToolbarButton>
      <ToolbarButton icon={IconSend} onClick={() => openDialog(<TestDialog webhook={webhook} />)}>
        {t('test.button')}
      </ToolbarButton>
    </>
  )
}

function Deliveries({ id, search, onSearch }: Omit<DeliveriesPageProps, 'onBack'>) {
  const { t } = useTranslation('webhooks')
  const size = search.size ?? rememberedPageSize(tableId, pageSizes, defaultPageSize)
  const query = useQuery(deliveriesQuery(id, { ...search, size }))
  const narrow = (state: DeliveriesSearch['state']) => onSearch({ ...search, state, page: undefined })
  const noMatch = { title: t('deliveries.noMatch'), text: t('deliveries.noMatchText'), reset: t('deliveries.reset') }
  return (
    <>
      <TableFilter
        choice={{
          label: t('deliveries.columns.state'),
          width: 170,
          all: t('deliveries.allStates'),
          values: deliveryStates,
          labelOf: (state) => t(`deliveries.states.${state}`),
          chosen: search.state,
          onChoose: narrow,
        }}
        isNarrowed={search.state !== undefined}
        reset={t('deliveries.reset')}
        onReset={() => narrow(undefined)}
      />
      <DeliveriesTable
        id={id}
        deliveries={query.data?.data}
        heldFor={search}
        load={loadStateOf(query, t('deliveries.failed'))}
        empty={
          search.state === undefined ? (
            <EmptyState
              icon={IconSend}
              title={t('deliveries.none')}
              text={t(id === mailServerId ? 'mails.noneText' : 'deliveries.noneText')}
            />
          ) : (
            <NoMatch {...noMatch} onReset={() => narrow(undefined)} />
          )
        }
        pages={pagesOfSearch(query.data, { table: tableId, search, onSearch, size, sizes: pageSizes })}
      />
    </>
  )
}
