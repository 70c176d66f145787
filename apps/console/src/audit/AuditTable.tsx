import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { AuditEntry } from '@roomkeeper/contract'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { OperationLog } from '#operations/OperationLog.tsx'
import { formatMoment } from '#ui/format-moment.ts'
import tables from '#ui/Table.module.css'
import paged from '#ui/table/PagedPanel.module.css'
import { TipLayer } from '#ui/table/TipLayer.tsx'
import classes from './AuditTable.module.css'
import { ChangesTable } from './ChangesTable.tsx'
import { useAuditActions } from './use-audit-actions.ts'

const columns = ['at', 'actor', 'action', 'room', 'detail'] as const

interface AuditTableProps {
  entries: readonly AuditEntry[]
  /** Other rows are on their way; these stay until then, dimmed. */
  isOutdated: boolean
}

export function AuditTable({ entries, isOutdated }: AuditTableProps) {
  const { t } = useTranslation('audit')
  const { nameOf } = useAuditActions()
  return (
    <TipLayer className={paged.scroll}>
      <table
        className={`${tables.table} ${paged.table} ${classes.table}`}
        aria-label={t('trail.title')}
        aria-busy={isOutdated}
        data-outdated={isOutdated || undefined}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t(`trail.${column}`)}
              </th>
            ))}
            <th scope="col">
              <span className={tables.hidden}>{t('trail.details')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} name={nameOf(entry.action)} />
          ))}
        </tbody>
      </table>
    </TipLayer>
  )
}

function Entry({ entry, name }: { entry: AuditEntry; name: string }) {
  const { t } = useTranslation('audit')
  const [isOpen, { toggle }] = useDisclosure()
  const id = useId()
  const { at, actor, room, detail } = entry
  return (
    <>
      <tr>
        <td className={tables.noWrap}>
          <time dateTime={at}>{formatMoment(at)}</time>
        </td>
        <td>
          <span data-cut>{actor === 'system' ? t('system') : actor}</span>
        </td>
        <td>
          <span data-cut>{name}</span>
        </td>
        <td>
          <span data-cut>{room ?? ''}</span>
        </td>
        <td>
          <span data-cut>{detail ?? summaryOf(entry)}</span>
        </td>
        <td className={tables.right}>
          <Button
            variant="subtle"
            size="compact-xs"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            aria-label={t('trail.detailsOf', { name, at: formatMoment(at) })}
            onClick={toggle}
          >
            {t('trail.details')}
          </Button>
        </td>
      </tr>
      {isOpen && (
        <tr id={id} className={paged.opened}>
          <td colSpan={columns.length + 1}>
            <Details entry={entry} />
          </td>
        </tr>
      )}
    </>
  )
}

function summaryOf({ changes }: AuditEntry): string {
  return changes.map(({ field }) => field).join(', ')
}

function Details({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation(['audit', 'operations'])
  const [isLogOpen, log] = useDisclosure()
  const { id, detail, changes, room, operationId, requestId } = entry
  return (
    <div className={classes.details}>
      {detail !== null && <p>{detail}</p>}
      {changes.length > 0 && <ChangesTable changes={changes} room={room ?? ''} />}
      <dl className={classes.facts}>
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
