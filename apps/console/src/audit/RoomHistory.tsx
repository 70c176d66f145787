import { Button, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { AuditEntry, ProjectRoom, Role } from '@roomkeeper/contract'
import { isAdministrator, isDirectSales } from '@roomkeeper/rules'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { usePollInterval } from '#api/events.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { headersOfRefetch } from '#api/queries.ts'
import { textOf } from '#api/text-of-error.ts'
import { OperationLog } from '#operations/index.ts'
import { formatMoment } from '#ui/format.ts'
import { Panel } from '#ui/Page.tsx'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { Pager } from '#ui/table/Pager.tsx'
import { ChangesTable } from './ChangesTable.tsx'
import { EntryMails } from './EntryMails.tsx'
import { EntryOutcome, WhyFailed } from './EntryOutcome.tsx'
import { detailOf, nameOfEntry } from './name-of-entry.ts'
import classes from './RoomHistory.module.css'

const historySize = 20

interface RoomHistoryProps {
  room: ProjectRoom
  /** Counted from 1. */
  page: number
  onPage: (page: number) => void
}

/** Who did what with a room, when, and what it changed; newest first. */
export function RoomHistory({ room, page, onPage }: RoomHistoryProps) {
  const { t } = useTranslation('audit')
  const refetchInterval = usePollInterval()
  const { data, error, isPending, refetch } = useQuery({ ...roomHistoryQuery(room, page - 1), refetchInterval })
  return (
    <Panel title={t('title')} hint={t('hint')}>
      {error !== null && <LoadFailure title={t('loadFailed')} text={textOf(error)} onAgain={() => void refetch()} />}
      {isPending && <Skeleton height={180} />}
      {data?.totalElements === 0 && <p>{t('none')}</p>}
      {data !== undefined && data.totalElements > 0 && (
        <>
          <ol className={classes.entries} aria-label={t('title')}>
            {data.data.map((entry) => (
              <HistoryEntry key={entry.id} entry={entry} room={room} />
            ))}
          </ol>
          {data.totalPages > 1 && (
            <Pager
              page={page}
              size={historySize}
              totalElements={data.totalElements}
              totalPages={data.totalPages}
              onPage={onPage}
            />
          )}
        </>
      )}
    </Panel>
  )
}

/** A page of a room's history, newest first; fetched again after each change of the room. @param page from 0 */
function roomHistoryQuery({ tenantName, version, runningOperation, projectRoomState }: ProjectRoom, page: number) {
  const occasion = [version, runningOperation?.operationId ?? null, projectRoomState]
  return queryOptions({
    queryKey: ['rooms', 'history', tenantName, page, occasion],
    queryFn: async ({ signal, client: cache, queryKey }) => {
      const query = { projectRoom: tenantName, page, size: historySize }
      return (await client.call('roomHistory', { query, headers: headersOfRefetch(cache, queryKey), signal })).body
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

interface HistoryEntryProps {
  entry: AuditEntry
  room: ProjectRoom
}

function HistoryEntry({ entry, room }: HistoryEntryProps) {
  const { t } = useTranslation(['audit', 'operations', 'errors'])
  const { role } = useOperator()
  const [isOpen, { toggle }] = useDisclosure()
  const { actor, at, action, detail, operationId, changes } = entry
  return (
    <li className={classes.entry}>
      <div className={classes.line}>
        <strong>{nameOfEntry(entry)}</strong>
        <EntryOutcome entry={entry} />
        <span className={classes.by}>
          {actor === 'system' ? t('system') : actor} · <time dateTime={at}>{formatMoment(at)}</time>
        </span>
        {operationId !== null && maySeeLog(role, action) && (
          <Button variant="subtle" size="compact-xs" aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? t('operations:hideLog') : t('operations:showLog')}
          </Button>
        )}
      </div>
      <WhyFailed entry={entry} />
      <EntryMails entry={entry} />
      {detail !== null && <div className={classes.detail}>{detailOf(entry)}</div>}
      {changes.length > 0 && <ChangesTable changes={changes} room={room.tenantName} />}
      {isOpen && operationId !== null && <OperationLog operationId={operationId} />}
    </li>
  )
}

/** Sales see the logs of creations and imports. */
function maySeeLog(role: Role, action: string): boolean {
  return isAdministrator(role) || (isDirectSales(role) && /^room\.(create|import)/.test(action))
}
