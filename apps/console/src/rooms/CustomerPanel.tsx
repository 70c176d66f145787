import { Box, Button, Skeleton } from '@mantine/core'
import type { Access, Overview } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { textOf } from '#locales/error-texts.ts'
import { ButtonWithReason } from '#ui/ActionButtons.tsx'
import { SidePanel } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { useNumberFormat } from '#ui/format.ts'
import classes from './CustomerPanel.module.css'
import { overviewQuery } from './queries.ts'

/** The figures of the overview by group. The product ENTERPRISE has no figure beside that of its edition. */
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

const buttons = [
  { texts: 'create', access: 'edit', to: '/project/create_project_room' },
  { texts: 'import', access: 'edit', to: '/project/import_project_room' },
  { texts: 'setNotification', access: 'admin', to: '/project/set_notification' },
  { texts: 'statistics', access: 'all', to: '/project/statistics' },
] as const satisfies readonly { texts: string; access: Access; to: string }[]

/** The actions for customers, and the numbers of rooms. */
export function CustomerPanel() {
  const { t } = useTranslation(['rooms', 'app'])
  const { role } = useOperator()
  const navigate = useNavigate()
  const close = useCloseDialog()
  return (
    <SidePanel title={t('customers.title')} width={340}>
      {buttons.map(({ texts, access, to }, index) => (
        <ButtonWithReason
          key={texts}
          fullWidth
          mt={index === 0 ? 0 : 'xs'}
          variant={index === 0 ? 'filled' : 'default'}
          data-autofocus={index === 0 || undefined}
          why={roleAllows(role, access) ? null : t('reasons.role')}
          onClick={() => {
            close()
            void navigate({ to })
          }}
        >
          {t(`customers.${texts}`)}
        </ButtonWithReason>
      ))}
      <Figures />
    </SidePanel>
  )
}

function Figures() {
  const { t } = useTranslation(['rooms', 'app'])
  const number = useNumberFormat()
  const { data, error, refetch } = useQuery(overviewQuery)
  const failure = error !== null && (
    <Box role="alert" mt="lg">
      <p>
        {textOf(error)} {data !== undefined && t('customers.former')}
      </p>
      <Button variant="default" size="xs" onClick={() => void refetch()}>
        {t('app:tryAgain')}
      </Button>
    </Box>
  )
  if (failure !== false && data === undefined) return failure
  const figures = groups.map(({ title, rows }) => (
    <Box component="section" key={title} mt="lg">
      <h3 className="rk-group-title">{t(`customers.${title}`)}</h3>
      <dl className={classes.figures}>
        {rows.map(([figure, label]) => (
          <div key={label}>
            <dt>{t(`customers.labels.${label}`)}</dt>
            <dd>{data === undefined ? <Skeleton height={14} width={36} /> : number.format(data[figure])}</dd>
          </div>
        ))}
      </dl>
    </Box>
  ))
  return (
    <>
      {failure}
      {figures}
    </>
  )
}
