import { type ApiToken, type TokenState, tokenStates } from '@roomkeeper/contract'
import {
  IconAlertTriangle,
  IconApi,
  IconBan,
  IconCircleCheck,
  IconClock,
  IconClockOff,
  IconPlus,
  IconShieldX,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { loadStateOf } from '#api/queries.ts'
import { IconAction } from '#ui/ActionButtons.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { formatDate, formatMinute, formatMoment, useNumberFormat } from '#ui/format.ts'
import { ListPage, PagedTable } from '#ui/ListPage.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import { type Look, Pill } from '#ui/Pill.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import type { Column } from '#ui/table/column.ts'
import { pageOf } from '#ui/table/paging.ts'
import { toastSuccess } from '#ui/toast.ts'
import { usePagedSearch } from '#ui/use-paged-search.ts'
import { foundTokens, isSuspicious, tokensQuery } from './tokens.ts'

const NewTokenDialog = onDemand(() => import('./NewTokenDialog.tsx'), 'NewTokenDialog')

/** The operator's API tokens; administrators see those of all operators. */
export function TokensPage() {
  const { t } = useTranslation('tokens')
  const seesAll = useOperator().role === 'CLOUD_ADMINISTRATOR'
  const query = useQuery(tokensQuery)
  const list = usePagedSearch('/project/_signed-in/tokens', { name: 'tokens', filters: ['search', 'state'] })
  const { state } = list.search
  return (
    <ListPage
      title={t('title')}
      hint={seesAll ? t('hintAll') : t('hint')}
      onRefresh={query.refetch}
      actions={
        <ToolbarButton icon={IconPlus} variant="filled" onClick={() => openDialog(<NewTokenDialog />)}>
          {t('new')}
        </ToolbarButton>
      }
    >
      <PagedTable
        label={t('title')}
        list={list}
        found={query.data && pageOf(foundTokens(query.data, list.search), list.wanted)}
        columns={useColumns(seesAll)}
        rowId={({ id }) => id}
        expectedRows={6}
        load={loadStateOf(query, t('failed'))}
        filter={{
          search: seesAll ? t('search') : t('searchOwn'),
          choice: {
            label: t('columns.state'),
            width: 150,
            all: t('allStates'),
            values: tokenStates,
            labelOf: (each) => t(`states.${each}`),
            chosen: state,
            onChoose: (chosen) => list.change({ state: chosen }),
          },
        }}
        none={{ icon: IconApi, title: t('none'), text: t('noneText') }}
        noMatch={{ title: t('noMatch'), text: t('noMatchText') }}
      />
    </ListPage>
  )
}

function useColumns(seesAll: boolean): Column<ApiToken>[] {
  const { t } = useTranslation(['tokens', 'app'])
  const owner: Column<ApiToken> = {
    id: 'owner',
    title: t('columns.owner'),
    size: { share: 3, atLeast: 128 },
    cell: ({ owner: email, isOwn }) => (isOwn ? <span title={email}>{t('you')}</span> : email),
  }
  return [
    { id: 'name', title: t('columns.name'), isName: true, size: { share: 2, atLeast: 130 }, cell: ({ name }) => name },
    {
      id: 'state',
      title: t('columns.state'),
      text: 'whole',
      size: 114,
      cell: ({ state }) => <TokenStatePill state={state} />,
    },
    {
      id: 'lastUsed',
      title: t('columns.lastUsed'),
      text: 'wrapped',
      size: { share: 2, atLeast: 96 },
      cell: (token) => <LastUse token={token} />,
    },
    {
      id: 'refused',
      title: t('columns.refused'),
      text: 'wrapped',
      size: { share: 4, atLeast: 140 },
      cell: ({ refused }) => <RefusedCalls refused={refused} />,
    },
    {
      id: 'expires',
      title: t('columns.expires'),
      text: 'wrapped',
      size: 116,
      cell: (token) => <Expiry token={token} />,
    },
    ...(seesAll ? [owner] : []),
    { id: 'role', title: t('columns.role'), size: 104, cell: ({ role }) => t(`app:roles.${role}`) },
    {
      id: 'networks',
      title: t('columns.networks'),
      text: 'wrapped',
      size: { share: 2, atLeast: 96 },
      cell: ({ networks }) => (networks.length === 0 ? t('anywhere') : networks.join(', ')),
    },
    {
      id: 'created',
      title: t('columns.created'),
      text: 'whole',
      size: 154,
      isHiddenByDefault: seesAll,
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatMoment(createdAt)}</time>,
    },
    {
      id: 'actions',
      title: t('columns.actions'),
      isActions: true,
      size: 88,
      cell: (token) => <RevokeButton token={token} />,
    },
  ]
}

const looks = {
  active: { tone: 'good', icon: IconCircleCheck },
  expired: { tone: 'quiet', icon: IconClockOff },
  revoked: { tone: 'quiet', icon: IconBan },
} as const satisfies Record<TokenState, Look>

function TokenStatePill({ state }: { state: TokenState }) {
  const { t } = useTranslation('tokens')
  return <Pill {...looks[state]}>{t(`states.${state}`)}</Pill>
}

const soonDays = 7
const dayMilliseconds = 24 * 60 * 60 * 1000

/** The day, and below it that it is near. */
function Expiry({ token: { state, expiresAt } }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  const days = Math.floor((Date.parse(expiresAt) - Date.now()) / dayMilliseconds)
  return (
    <>
      <time dateTime={expiresAt} title={formatMoment(expiresAt)}>
        {formatDate(expiresAt)}
      </time>
      {state === 'active' && days < soonDays && (
        <Pill tone="warn" icon={IconClock} isSmall>
          {days < 1 ? t('soon.today') : t('soon.days', { count: days })}
        </Pill>
      )}
    </>
  )
}

/** The last use is known to the minute. */
function LastUse({ token: { lastUsedAt, lastUsedFrom } }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  if (lastUsedAt === null) return <span className="rk-dimmed">{t('never')}</span>
  return (
    <>
      <time dateTime={lastUsedAt}>{formatMinute(lastUsedAt)}</time>
      {lastUsedFrom !== null && <div className="rk-note">{t('from', { address: lastUsedFrom })}</div>}
    </>
  )
}

/** How many calls were refused, and below it the last of them. */
function RefusedCalls({ refused }: Pick<ApiToken, 'refused'>) {
  const { t } = useTranslation('tokens')
  const number = useNumberFormat()
  if (refused === null) return <span className="rk-dimmed">{t('notRefused')}</span>
  const { times, why, lastAt, lastFrom } = refused
  const isBad = isSuspicious({ refused })
  return (
    <>
      <Pill tone={isBad ? 'bad' : 'warn'} icon={isBad ? IconShieldX : IconAlertTriangle} isSmall>
        {t('refused.times', { count: times, n: number.format(times) })}
      </Pill>
      <div className="rk-note" title={formatMoment(lastAt)}>
        {t('refused.last', { at: formatMinute(lastAt), address: lastFrom, why: t(`refused.${why}`) })}
      </div>
    </>
  )
}

function RevokeButton({ token }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  const revoke = useRevokeToken()
  const { name, owner, isOwn, state } = token
  return (
    <IconAction
      label={isOwn ? t('revoke.label', { name }) : t('revoke.labelOf', { name, owner })}
      icon={IconBan}
      why={state === 'active' ? null : t(`revoke.${state}`)}
      onClick={() => void revoke(token)}
    />
  )
}

/** @returns a function that revokes a token after saying what stops working */
function useRevokeToken() {
  const { t } = useTranslation('tokens')
  const queryClient = useQueryClient()
  return async ({ id, name, owner, isOwn, lastUsedAt, lastUsedFrom }: ApiToken) => {
    const used = lastUsedAt === null ? null : { at: formatMoment(lastUsedAt), address: lastUsedFrom ?? '?' }
    const isRevoked = await confirm({
      title: t('revoke.title', { name }),
      question: isOwn ? t('revoke.question') : t('revoke.questionOf', { owner }),
      consequence: used === null ? t('revoke.unused') : t('revoke.used', used),
      confirm: t('revoke.confirm'),
      danger: true,
      failed: t('revoke.failed'),
      run: () =>
        client
          .call('revokeToken', { params: { id } })
          .finally(() => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey })),
    })
    if (isRevoked) toastSuccess(name, t('revoke.done'))
  }
}
