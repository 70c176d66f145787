import { Box, Skeleton, Text } from '@mantine/core'
import type { LiveMigration, Obstacle, PreflightRoom } from '@roomkeeper/contract'
import { IconAlertCircle, IconArrowRight, IconClockPause } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRegionName } from '#api/queries.ts'
import { textOf } from '#locales/error-texts.ts'
import { FailureText } from '#operations/index.ts'
import { formatBytes, formatDuration } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import { LoadFailure, ProblemAlert } from '#ui/ProblemAlert.tsx'
import { SlowAnswer } from '#ui/SlowAnswer.tsx'
import type { PagerProps } from '#ui/table/Pager.tsx'
import { Table } from '#ui/table/Table.tsx'
import type { PickedRooms } from './picked-rooms.ts'
import { pickerSize, preflightQuery } from './queries.ts'

interface PreflightProps {
  migration: LiveMigration
  picked: PickedRooms
  skippActiveSessions: boolean
  /** Called when a link leads to a region's settings. */
  onLeave: () => void
}

/** What would happen to each room if the migration started now. */
export function Preflight({ migration, picked, skippActiveSessions, onLeave }: PreflightProps) {
  const { t } = useTranslation('migrations')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery(preflightQuery(migration.id, picked, skippActiveSessions, page))
  if (data === undefined) {
    if (error === null) return <Waiting migration={migration} />
    return <LoadFailure title={t('preflight.failed')} text={textOf(error)} onAgain={() => void refetch()} />
  }
  const { totalElements, totalPages } = data
  const pages = totalPages > 1 ? { page, size: pickerSize, totalElements, totalPages, onPage: setPage } : undefined
  return (
    <>
      {data.obstacles.length > 0 && (
        <ProblemAlert kind="warning" mt="md" title={t('preflight.wholeRun')}>
          <Obstacles obstacles={data.obstacles} onLeave={onLeave} />
        </ProblemAlert>
      )}
      {data.rooms.length === 0 ? (
        <Text mt="md">{t('preflight.noRooms')}</Text>
      ) : (
        <PreflightTable rooms={data.rooms} pages={pages} onLeave={onLeave} />
      )}
      {data.totalPages === 1 && <Total rooms={data.rooms} isParallel={migration.parallel} />}
    </>
  )
}

/** One of the regions may hang, and the operator need not wait for it. */
function Waiting({ migration: { sourceRegion, targetRegion } }: { migration: LiveMigration }) {
  const { t } = useTranslation('migrations')
  const nameOf = useRegionName()
  const names = { source: nameOf(sourceRegion), target: nameOf(targetRegion) }
  return (
    <>
      <SlowAnswer isWaiting text={t('preflight.waiting', names)} />
      <Skeleton height={180} mt="xs" />
    </>
  )
}

/** The totals of what would be moved, if all rooms are on one page. */
function Total({ rooms, isParallel }: { rooms: readonly PreflightRoom[]; isParallel: boolean }) {
  const { t, i18n } = useTranslation('migrations')
  const moved = rooms.filter((room) => room.obstacles.every((each) => each.effect === 'hint'))
  const sum = (of: (room: PreflightRoom) => number | null) => moved.reduce((total, room) => total + (of(room) ?? 0), 0)
  const size = formatBytes(
    sum((room) => room.bytes),
    i18n.language,
  )
  const milliseconds = sum((room) => room.seconds) * 1000
  const time = formatDuration(milliseconds, i18n.language)
  if (moved.length < 2) return null
  return (
    <Text size="sm" mt="xs" ta="right">
      {isParallel ? t('preflight.totalParallel', { size }) : t('preflight.total', { size, time })}
    </Text>
  )
}

interface PreflightTableProps {
  rooms: readonly PreflightRoom[]
  pages: PagerProps | undefined
  onLeave: () => void
}

/** What would become of each room, and why. */
function PreflightTable({ rooms, pages, onLeave }: PreflightTableProps) {
  const { t, i18n } = useTranslation('migrations')
  return (
    <Box mt="sm">
      <Table
        label={t('preflight.title')}
        rows={rooms}
        rowId={({ projectRoomName }) => projectRoomName}
        orderKey={pages?.page ?? 1}
        pages={pages}
        columns={[
          {
            id: 'name',
            title: t('pick.columns.name'),
            isName: true,
            cell: ({ projectRoomName }) => projectRoomName,
          },
          {
            id: 'outcome',
            title: t('preflight.columns.outcome'),
            text: 'whole',
            cell: ({ obstacles }) => <Outcome obstacles={obstacles} />,
          },
          {
            id: 'obstacles',
            title: t('preflight.columns.obstacles'),
            cell: ({ obstacles }) => <Obstacles obstacles={obstacles} onLeave={onLeave} />,
          },
          {
            id: 'size',
            title: t('preflight.columns.size'),
            align: 'end',
            text: 'whole',
            cell: ({ bytes }) => (bytes === null ? '–' : formatBytes(bytes, i18n.language)),
          },
          {
            id: 'time',
            title: t('preflight.columns.time'),
            align: 'end',
            text: 'whole',
            cell: ({ seconds }) => (seconds === null ? '–' : formatDuration(seconds * 1000, i18n.language)),
          },
        ]}
      />
    </Box>
  )
}

/** The outcome of a room, decided by its worst obstacle. */
function Outcome({ obstacles }: { obstacles: readonly Obstacle[] }) {
  const { t } = useTranslation('migrations')
  const effects = obstacles.map((each) => each.effect)
  const outcome = (['fails', 'postponed'] as const).find((each) => effects.includes(each)) ?? 'moved'
  return <Pill {...looks[outcome]}>{t(`preflight.${outcome}`)}</Pill>
}

const looks = {
  fails: { tone: 'bad', icon: IconAlertCircle },
  postponed: { tone: 'warn', icon: IconClockPause },
  moved: { tone: 'good', icon: IconArrowRight },
} as const

interface ObstaclesProps {
  obstacles: readonly Obstacle[]
  onLeave: () => void
}

function Obstacles({ obstacles, onLeave }: ObstaclesProps) {
  const { t } = useTranslation('migrations')
  return (
    <ul className="rk-list">
      {obstacles.map((each) => (
        <li key={`${each.kind} ${each.text}`}>
          <Text component="strong" inherit fw={600}>
            {t(`preflight.kinds.${each.kind}`)}
          </Text>{' '}
          <FailureText reasons={[each.reason]} text={each.text} onLeave={onLeave} />
        </li>
      ))}
    </ul>
  )
}
