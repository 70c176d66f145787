import { Skeleton } from '@mantine/core'
import type { ProjectRoom } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { textOf } from '#api/text-of-error.ts'
import { Panel } from '#ui/Page.tsx'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { Pager } from '#ui/table/Pager.tsx'
import { HistoryEntry } from './HistoryEntry.tsx'
import { historySize, roomHistoryQuery } from './queries.ts'
import classes from './RoomHistory.module.css'

interface RoomHistoryProps {
  room: ProjectRoom
  /** From 1. */
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
