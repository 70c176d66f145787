import { Button, Drawer, Skeleton, Tooltip } from '@mantine/core'
import type { Overview } from '@roomkeeper/contract'
import { reasonTexts, roleAllows } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { textOf } from '#api/text-of-error.ts'
import { useNumberFormat } from '#ui/use-number-format.ts'
import classes from './CustomerPanel.module.css'
import { overviewQuery } from './queries.ts'

/** The figures of the overview in their groups; ENTERPRISE as a product has no figure but that of its edition. */
const groups = [
  {
    title: 'salesChannel',
    rows: [
      ['directSales', 'directSales'],
      ['onlineShop', 'onlineShop'],
    ],
  },
  {
    title: 'edition',
    rows: [
      ['elements', 'basic'],
      ['advanced', 'advanced'],
      ['enterpriseLight', 'advancedBaseExtension'],
      ['enterprise', 'enterpriseMining'],
      ['enterpriseShared', 'enterpriseShared'],
    ],
  },
  {
    title: 'product',
    rows: [
      ['aris', 'aris'],
      ['yukon', 'mining'],
      ['enterpriseShared', 'enterprise'],
    ],
  },
] as const satisfies readonly { title: string; rows: readonly (readonly [keyof Overview, string])[] }[]

interface CustomerPanelProps {
  isOpen: boolean
  onClose: () => void
}

/** What can be done for customers, and how many rooms there are. */
export function CustomerPanel({ isOpen, onClose }: CustomerPanelProps) {
  const { t } = useTranslation(['rooms', 'app'])
  const { role } = useOperator()
  const navigate = useNavigate()
  const mayCreate = roleAllows(role, 'edit')
  const open = (to: '/project/create_project_room' | '/project/import_project_room') => () => {
    onClose()
    void navigate({ to })
  }
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={340}
      title={t('customers.title')}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <Tooltip label={t('reasons.role', reasonTexts.role)} disabled={mayCreate}>
        <Button
          fullWidth
          data-autofocus
          data-disabled={!mayCreate}
          aria-disabled={!mayCreate}
          onClick={mayCreate ? open('/project/create_project_room') : undefined}
        >
          {t('customers.create')}
        </Button>
      </Tooltip>
      <Tooltip label={t('reasons.role', reasonTexts.role)} disabled={mayCreate}>
        <Button
          fullWidth
          mt="xs"
          variant="default"
          data-disabled={!mayCreate}
          aria-disabled={!mayCreate}
          onClick={mayCreate ? open('/project/import_project_room') : undefined}
        >
          {t('customers.import')}
        </Button>
      </Tooltip>
      {isOpen && <Figures />}
    </Drawer>
  )
}

function Figures() {
  const { t } = useTranslation(['rooms', 'app'])
  const number = useNumberFormat()
  const { data, error, refetch } = useQuery(overviewQuery)
  if (error !== null && data === undefined) {
    return (
      <div role="alert" className={classes.error}>
        <p>{textOf(error)}</p>
        <Button variant="default" size="xs" onClick={() => void refetch()}>
          {t('app:tryAgain')}
        </Button>
      </div>
    )
  }
  return groups.map(({ title, rows }) => (
    <section key={title} className={classes.group}>
      <h3>{t(`customers.${title}`)}</h3>
      <dl>
        {rows.map(([figure, label]) => (
          <div key={label}>
            <dt>{t(`customers.labels.${label}`)}</dt>
            <dd>{data === undefined ? <Skeleton height={14} width={36} /> : number.format(data[figure])}</dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}
