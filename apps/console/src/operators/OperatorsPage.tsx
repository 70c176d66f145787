import { Button, Skeleton } from '@mantine/core'
import type { OperatorAccount } from '@roomkeeper/contract'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { textOf } from '#api/text-of-error.ts'
import { BackButton } from '#ui/BackButton.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { IconAction } from '#ui/IconAction.tsx'
import { LoadFailure } from '#ui/LoadFailure.tsx'
import { Page } from '#ui/Page.tsx'
import { Panel } from '#ui/Panel.tsx'
import tables from '#ui/Table.module.css'
import { operatorsQuery } from './queries.ts'
import { useDeleteOperator } from './use-delete-operator.ts'

const OperatorDialog = lazy(async () => ({ default: (await import('./OperatorDialog.tsx')).OperatorDialog }))

/** The accounts of all operators, for administrators. */
export function OperatorsPage({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation('operators')
  const { data, error, isPending, refetch } = useQuery(operatorsQuery)
  const edit = (account: OperatorAccount | null) => openDialog(<OperatorDialog account={account} />)
  const deleteOperator = useDeleteOperator()
  return (
    <Page
      title={t('title')}
      before={<BackButton onClick={onBack} />}
      actions={
        <Button size="xs" leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={() => edit(null)}>
          {t('new')}
        </Button>
      }
    >
      <Panel title={t('accounts')} hint={t('hint')}>
        {error !== null && <LoadFailure title={t('loadFailed')} text={textOf(error)} onAgain={() => void refetch()} />}
        {isPending && <Skeleton height={180} />}
        {data !== undefined && (
          <Accounts accounts={data} onEdit={edit} onDelete={(each) => void deleteOperator(each)} />
        )}
      </Panel>
    </Page>
  )
}

interface AccountsProps {
  accounts: readonly OperatorAccount[]
  onEdit: (account: OperatorAccount) => void
  onDelete: (account: OperatorAccount) => void
}

function Accounts({ accounts, onEdit, onDelete }: AccountsProps) {
  const { t } = useTranslation(['operators', 'app'])
  const own = useOperator().email
  return (
    <div className={tables.scroll}>
      <table className={tables.table} aria-label={t('accounts')}>
        <thead>
          <tr>
            <th scope="col">{t('email')}</th>
            <th scope="col">{t('name')}</th>
            <th scope="col">{t('role')}</th>
            <th scope="col" className={tables.right}>
              {t('actions')}
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <tr key={account.id}>
              <th scope="row">{account.email}</th>
              <td>{account.email === own ? t('you', { name: account.name }) : account.name}</td>
              <td>{t(`app:roles.${account.role}`)}</td>
              <td className={`${tables.right} ${tables.noWrap}`}>
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
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
