import { Skeleton } from '@mantine/core'
import type { ProjectRoom } from '@roomkeeper/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '#api/queries.ts'
import { textOf } from '#locales/error-texts.ts'
import { formatRecent } from '#ui/format.ts'
import { EntryOutcome } from './EntryOutcome.tsx'
import { nameOfActor, nameOfEntry } from './entry-names.ts'

const eventsShown = 5

interface LastEventsProps {
  room: ProjectRoom
  /** Whether they are asked for. */
  isComplete: boolean
}

/** What was done last with a room, by whom. */
export function LastEvents({ room, isComplete }: LastEventsProps) {
  const { t } = useTranslation(['room-facts', 'audit', 'operations'])
  const { data, error } = useQuery({
    ...lastEventsQuery(room),
    enabled: isComplete,
    placeholderData: keepPreviousData,
  })
  if (error !== null && data === undefined) return <p className="rk-problem">{textOf(error)}</p>
  if (data === undefined) return <Skeleton height={120} />
  if (data.totalElements === 0) return <p className="rk-note">{t('events.none')}</p>
  return (
    <>
      <ol className="rk-list rk-column rk-gap-xs">
        {data.data.map((entry) => (
          <li key={entry.id}>
            <span className="rk-row">
              {nameOfEntry(entry)} <EntryOutcome entry={entry} />
            </span>
            <div className="rk-note rk-text">
              {nameOfActor(entry.actor)} · <time dateTime={entry.at}>{formatRecent(entry.at)}</time>
            </div>
          </li>
        ))}
      </ol>
      <Link to="/project/edit_project_room/$id" params={{ id: room.tenantName }} search={{ tab: 'history' }}>
        {t('events.all')}
      </Link>
    </>
  )
}

/** Fetched again after each change of the room. */
function lastEventsQuery({ tenantName, version, runningOperation, projectRoomState }: ProjectRoom) {
  const occasion = [version, runningOperation?.operationId ?? null, projectRoomState]
  const query = { projectRoom: tenantName, page: 0, size: eventsShown }
  return apiQuery(
    ['rooms', 'history', tenantName, 'last', occasion],
    'roomHistory',
    { query },
    { background: 'refetch-of-similar' },
  )
}
