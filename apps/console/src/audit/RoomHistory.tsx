import { Skeleton } from '@mantine/core'
import type { ProjectRoom } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { textOf } from '#locales/error-texts.ts'
import { Panel } from '#ui/Page.tsx'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { Pager } from '#ui/table/Pager.tsx'
import { ActivityItem } from './ActivityItem.tsx'
import { useRoomHistory } from './use-room-history.ts'

const historySize = 20

interface RoomHistoryProps {
  room: ProjectRoom
  /** Counted from 1. */
  page: number
  onPage: (page: number) => void
}

/** Who did what with a room, when, and what it changed; newest first. */
export function RoomHistory({ room, page, onPage }: RoomHistoryProps) {
  const { t } = useTranslation('activity')
  const refetchInterval = usePollInterval()
  const { data, error, isPending, refetch } = useRoomHistory(room, page - 1, historySize, { refetchInterval })
  return (
    <Panel title={t('title')} hint={t('hint')}>
      {error !== null && <LoadFailure title={t('failed')} text={textOf(error)} onAgain={() => void refetch()} />}
      {isPending && <Skeleton height={180} />}
      {data?.totalElements === 0 && <p>{t('none')}</p>}
      {data !== undefined && data.totalElements > 0 && (
        <>
          <ol className="rk-list" aria-label={t('title')}>
            {data.data.map((entry) => (
              <ActivityItem key={entry.id} entry={entry} isOfRoom />
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
