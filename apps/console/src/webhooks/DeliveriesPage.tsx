import { Button, NativeSelect } from '@mantine/core'
import { deliveryStates, type Webhook } from '@roomkeeper/contract'
import { IconFilterOff, IconRefresh, IconSend } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadStateOf } from '#api/queries.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState, NoMatch } from '#ui/EmptyState.tsx'
import { BackButton, Page } from '#ui/Page.tsx'
import { Toolbar, ToolbarButton } from '#ui/Toolbar.tsx'
import { pagesOfSearch, rememberedPageSize } from '#ui/table/Pager.tsx'
import { defaultPageSize, pageSizes } from '#ui/url-search.ts'
import { DeliveriesTable } from './DeliveriesTable.tsx'
import type { DeliveriesSearch } from './deliveries-search.ts'
import { deliveriesQuery, refetchWebhooks, webhooksQuery } from './queries.ts'
import { TestDialog } from './TestDialog.tsx'
import { WebhookState } from './WebhookState.tsx'

const tableId = 'webhook-deliveries'

interface DeliveriesPageProps {
  /** Of the webhook. */
  id: string
  search: DeliveriesSearch
  onSearch: (search: DeliveriesSearch) => void
  onBack: () => void
}

/** What was sent to a webhook in the last 30 days, newest first. For administrators. */
export function DeliveriesPage({ id, search, onSearch, onBack }: DeliveriesPageProps) {
  const { t } = useTranslation('webhooks')
  const { data: webhooks } = useQuery(webhooksQuery)
  const webhook = webhooks?.find((each) => each.id === id)
  const isGone = webhooks !== undefined && webhook === undefined
  return (
    <Page
      title={webhook === undefined ? t('deliveries.plain') : t('deliveries.title', { name: webhook.name })}
      before={<BackButton onClick={onBack} />}
      beside={webhook !== undefined && <WebhookState webhook={webhook} />}
      actions={webhook !== undefined && <Actions webhook={webhook} />}
    >
      {isGone ? <Gone onBack={onBack} /> : <Deliveries id={id} search={search} onSearch={onSearch} />}
    </Page>
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
      <search>
        <Toolbar>
          <NativeSelect
            size="xs"
            w={170}
            aria-label={t('deliveries.columns.state')}
            value={search.state ?? ''}
            onChange={({ currentTarget: { value } }) => narrow(deliveryStates.find((each) => each === value))}
          >
            <option value="">{t('deliveries.allStates')}</option>
            {deliveryStates.map((state) => (
              <option key={state} value={state}>
                {t(`deliveries.states.${state}`)}
              </option>
            ))}
          </NativeSelect>
          {search.state !== undefined && (
            <ToolbarButton icon={IconFilterOff} variant="subtle" onClick={() => narrow(undefined)}>
              {t('deliveries.reset')}
            </ToolbarButton>
          )}
        </Toolbar>
      </search>
      <DeliveriesTable
        id={id}
        deliveries={query.data?.data}
        heldFor={search}
        load={loadStateOf(query, t('deliveries.failed'))}
        empty={
          search.state === undefined ? (
            <EmptyState icon={IconSend} title={t('deliveries.none')} text={t('deliveries.noneText')} />
          ) : (
            <NoMatch {...noMatch} onReset={() => narrow(undefined)} />
          )
        }
        pages={pagesOfSearch(query.data, { table: tableId, search, onSearch, size, sizes: pageSizes })}
      />
    </>
  )
}
