import { Skeleton } from '@mantine/core'
import type { ProjectRoom } from '@roomkeeper/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { textOf } from '#locales/error-texts.ts'
import { formatRecent } from '#ui/format.ts'
import { Sentence } from './Sentence.tsx'
import { useRoomHistory } from './use-room-history.ts'

const eventsShown = 5

interface LastEventsProps {
  room: ProjectRoom
  /** Whether they are asked for. */
  isComplete: boolean
}

/** What was done last with a room, by whom. */
export function LastEvents({ room, isComplete }: LastEventsProps) {
  const { t } = useTranslation(['room-facts', 'activity', 'audit', 'operations'])
  const { data, error } = useRoomHistory(room, 0, eventsShown, { enabled: isComplete })
  if (error !== null && data === undefined) return <p className="rk-problem">{textOf(error)}</p>
  if (data === undefined) return <Skeleton height={120} />
  if (data.totalElements === 0) return <p className="rk-note">{t('activity:none')}</p>
  return (
    <>
      <ol className="rk-list rk-column rk-gap-xs">
        {data.data.map((entry) => (
          <li key={entry.id}>
            <span className="rk-row">
              <Sentence entry={entry} isOfRoom />
            </span>
            <time className="rk-note" dateTime={entry.at}>
              {formatRecent(entry.at)}
            </time>
          </li>
        ))}
      </ol>
      <Link to="/project/edit_project_room/$id" params={{ id: room.tenantName }} search={{ tab: 'history' }}>
        {t('events.all')}
      </Link>
    </>
  )
}
