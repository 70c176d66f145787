import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { AuditEntry } from '@roomkeeper/contract'
import { operatorOf, tokenNameOf } from '@roomkeeper/rules'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { OperationLog } from '#operations/index.ts'
import facts from '#ui/facts.module.css'
import { formatMoment } from '#ui/format.ts'
import type { Column } from '#ui/table/column.ts'
import type { LoadState } from '#ui/table/NotLoaded.tsx'
import type { PagerProps } from '#ui/table/Pager.tsx'
import { Table } from '#ui/table/Table.tsx'
import { usePageKeys } from '#ui/table/use-page-keys.ts'
import classes from './AuditTable.module.css'
import { ChangesTable, useChangeTexts } from './ChangesTable.tsx'
import { EntryOutcome, WhyFailed } from './EntryOutcome.tsx'
import { detailOf } from './name-of-entry.ts'
import { useAuditActions } from './use-audit-actions.ts'

interface AuditTableProps {
  entries: readonly AuditEntry[] | undefined
  load: LoadState
  empty: ReactNode
  pages: PagerProps | undefined
}

export function AuditTable({ entries, ...rest }: AuditTableProps) {
  const { t } = useTranslation('audit')
  usePageKeys(rest)
  return (
    <Table
      label={t('trail.title')}
      layout="page"
      remembered="audit"
      hasFocusableRows
      {...rest}
      columns={useColumns()}
      rows={entries}
      rowId={({ id }) => id}
      expectedRows={8}
      details={(entry) => <EntryDetails entry={entry} />}
    />
  )
}

function useColumns(): Column<AuditEntry>[] {
  const { t } = useTranslation(['audit', 'errors'])
  const { labelOf } = useChangeTexts({ tenantName: '' })
  const { nameOf } = useAuditActions()
  return [
    {
      id: 'at',
      title: t('trail.at'),
      size: 160,
      text: 'whole',
      cell: ({ at }) => <time dateTime={at}>{formatMoment(at)}</time>,
    },
    {
      id: 'actor',
      title: t('trail.actor'),
      text: 'wrapped',
      size: { share: 5, atLeast: 120 },
      cell: ({ actor }) => <Actor actor={actor} />,
    },
    { id: 'action', title: t('trail.action'), size: { share: 6, atLeast: 140 }, cell: nameOf },
    {
      id: 'outcome',
      title: t('trail.outcome'),
      size: 130,
      cell: (entry) => <EntryOutcome entry={entry} />,
    },
    { id: 'room', title: t('trail.room'), size: { share: 4, atLeast: 200 }, cell: ({ room }) => room ?? '' },
    {
      id: 'detail',
      title: t('trail.detail'),
      size: { share: 5, atLeast: 120 },
      cell: (entry) => detailOf(entry) ?? entry.changes.map(({ field }) => labelOf(field)).join(', '),
    },
    {
      id: 'details',
      title: t('trail.details'),
      isTitleHidden: true,
      isActions: true,
      size: 96,
      cell: (entry, details) => (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-expanded={details.isOpen}
          aria-controls={details.isOpen ? details.id : undefined}
          aria-label={t('trail.detailsOf', { name: nameOf(entry), at: formatMoment(entry.at) })}
          onClick={details.toggle}
        >
          {t('trail.details')}
        </Button>
      ),
    },
  ]
}

/** The operator, and below it the API token with which it was done. */
function Actor({ actor }: Pick<AuditEntry, 'actor'>) {
  const { t } = useTranslation('audit')
  const token = tokenNameOf(actor)
  if (token === null) return actor === 'system' || actor === 'unknown' ? t(actor) : actor
  return (
    <>
      {operatorOf(actor)}
      <div className={classes.token}>{t('trail.token', { name: token })}</div>
    </>
  )
}

function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation(['audit', 'operations'])
  const [isLogOpen, log] = useDisclosure()
  const { id, detail, changes, room, operationId, requestId } = entry
  return (
    <div className={classes.details}>
      <WhyFailed entry={entry} />
      {detail !== null && <p>{detailOf(entry)}</p>}
      {changes.length > 0 && <ChangesTable changes={changes} room={room ?? ''} />}
      <dl className={facts.facts}>
        <dt>{t('trail.number')}</dt>
        <dd>{id}</dd>
        {requestId !== null && (
          <>
            <dt>{t('trail.request')}</dt>
            <dd>{requestId}</dd>
          </>
        )}
        {operationId !== null && (
          <>
            <dt>{t('trail.operation')}</dt>
            <dd>
              {operationId}{' '}
              <Button variant="subtle" size="compact-xs" aria-expanded={isLogOpen} onClick={log.toggle}>
                {isLogOpen ? t('operations:hideLog') : t('operations:showLog')}
              </Button>
            </dd>
          </>
        )}
      </dl>
      {isLogOpen && operationId !== null && <OperationLog operationId={operationId} />}
    </div>
  )
}
