import { Button, Group } from '@mantine/core'
import type { OperatorAccount } from '@roomkeeper/contract'
import { IconLock, IconPencil, IconPlus, IconTrash, IconUserCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { loadStateOf } from '#api/queries.ts'
import { IconAction } from '#ui/ActionButtons.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { onDemand } from '#ui/on-demand.tsx'
import { BackButton, Page, Panel } from '#ui/Page.tsx'
import { Pill } from '#ui/Pill.tsx'
import type { Column } from '#ui/table/column.ts'
import { Table } from '#ui/table/Table.tsx'
import { usePageKeys } from '#ui/table/use-page-keys.tsx'
import { operatorsQuery, useConfirmOperator, useDeleteOperator } from './use-operators.ts'

const OperatorDialog = onDemand(() => import('./OperatorDialog.tsx'), 'OperatorDialog')

/** The accounts of all operators, for administrators. */
export function OperatorsPage() {
  const { t } = useTranslation('operators')
  const query = useQuery(operatorsQuery)
  const edit = (account: OperatorAccount | null) => openDialog(<OperatorDialog account={account} />)
  const deleteOperator = useDeleteOperator()
  const confirmOperator = useConfirmOperator()
  usePageKeys({
    onOpen: (id) => {
      const account = query.data?.find((each) => String(each.id) === id)
      if (account !== undefined) edit(account)
    },
  })
  return (
    <Page
      title={t('title')}
      before={<BackButton />}
      actions={
        <Button size="xs" leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={() => edit(null)}>
          {t('new')}
        </Button>
      }
    >
      <Panel title={t('accounts')} hint={t('hint')}>
        <Table
          label={t('accounts')}
          hasFocusableRows
          columns={useColumns({
            onEdit: edit,
            onDelete: (account) => void deleteOperator(account),
            onConfirm: (account) => void confirmOperator(account),
          })}
          rows={query.data}
          rowId={({ id }) => id}
          load={loadStateOf(query, t('loadFailed'))}
        />
      </Panel>
    </Page>
  )
}

type OnAccount = (account: OperatorAccount) => void

function useColumns({
  onEdit,
  onDelete,
  onConfirm,
}: Record<'onEdit' | 'onDelete' | 'onConfirm', OnAccount>): Column<OperatorAccount>[] {
  const { t } = useTranslation(['operators', 'app'])
  const own = useOperator().email
  return [
    { id: 'email', title: t('email'), isName: true, cell: ({ email }) => email },
    { id: 'name', title: t('name'), cell: ({ email, name }) => (email === own ? t('you', { name }) : name) },
    {
      id: 'role',
      title: t('role'),
      cell: ({ role, lockedAt }) => (
        <Group gap="xs">
          {t(`app:roles.${role}`)}
          {lockedAt !== null && (
            <Pill tone="warn" icon={IconLock}>
              {t('confirm.locked')}
            </Pill>
          )}
        </Group>
      ),
    },
    {
      id: 'actions',
      title: t('actions'),
      isActions: true,
      cell: (account) => (
        <>
          {account.lockedAt !== null && (
            <IconAction
              label={t('confirm.label', { email: account.email })}
              icon={IconUserCheck}
              onClick={() => onConfirm(account)}
            />
          )}
          <IconAction
            label={t('edit.label', { email: account.email })}
            icon={IconPencil}
            onClick={() => onEdit(account)}
          />
          <IconAction
            label={t('delete.label', { email: account.email })}
            icon={IconTrash}
            why={account.email === own ? t('delete.own') : null}
            onClick={() => onDelete(account)}
          />
        </>
      ),
    },
  ]
}
