import type { ApiToken } from '@roomkeeper/contract'
import { IconBan } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconAction } from '#ui/ActionButtons.tsx'
import { formatMoment } from '#ui/format.ts'
import type { Column } from '#ui/table/column.ts'
import type { LoadState } from '#ui/table/NotLoaded.tsx'
import type { PagerProps } from '#ui/table/Pager.tsx'
import { Table } from '#ui/table/Table.tsx'
import { usePageKeys } from '#ui/table/use-page-keys.ts'
import { Expiry, LastUse, RefusedCalls, TokenStatePill } from './TokenCells.tsx'
import { useRevokeToken } from './use-revoke-token.ts'

interface TokensTableProps {
  tokens: readonly ApiToken[] | undefined
  /** Whether there are tokens of others. */
  seesAll: boolean
  heldFor: unknown
  load: LoadState
  empty: ReactNode
  pages: PagerProps | undefined
}

export function TokensTable({ tokens, seesAll, ...rest }: TokensTableProps) {
  const { t } = useTranslation('tokens')
  usePageKeys(rest)
  return (
    <Table
      label={t('title')}
      layout="page"
      remembered="tokens"
      hasFocusableRows
      {...rest}
      columns={useColumns(seesAll)}
      rows={tokens}
      rowId={({ id }) => id}
      expectedRows={6}
    />
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
      size: 100,
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
      isHiddenAtFirst: seesAll,
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatMoment(createdAt)}</time>,
    },
    {
      id: 'actions',
      title: t('columns.actions'),
      isActions: true,
      size: 72,
      cell: (token) => <RevokeButton token={token} />,
    },
  ]
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
