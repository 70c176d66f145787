import type { Obstacle, PreflightRoom } from '@roomkeeper/contract'
import { IconAlertCircle, IconArrowRight, IconClockPause } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '#operations/format-duration.ts'
import { formatBytes } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import type { PagerProps } from '#ui/table/Pager.tsx'
import { Table } from '#ui/table/Table.tsx'
import classes from './LiveMigrations.module.css'

interface PreflightTableProps {
  rooms: readonly PreflightRoom[]
  pages: PagerProps | undefined
}

/** What would become of each room, and why. */
export function PreflightTable({ rooms, pages }: PreflightTableProps) {
  const { t, i18n } = useTranslation('migrations')
  return (
    <div className={classes.preflight}>
      <Table
        label={t('preflight.title')}
        rows={rooms}
        rowId={({ projectRoomName }) => projectRoomName}
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
            cell: ({ obstacles }) => <Obstacles obstacles={obstacles} />,
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
            cell: ({ seconds }) => (seconds === null ? '–' : formatDuration(seconds * 1000)),
          },
        ]}
      />
    </div>
  )
}

/** The worst of what stands in the way decides. */
function Outcome({ obstacles }: { obstacles: readonly Obstacle[] }) {
  const { t } = useTranslation('migrations')
  const effects = obstacles.map((each) => each.effect)
  if (effects.includes('fails')) {
    return (
      <Pill tone="bad" icon={IconAlertCircle}>
        {t('preflight.fails')}
      </Pill>
    )
  }
  if (effects.includes('postponed')) {
    return (
      <Pill tone="warn" icon={IconClockPause}>
        {t('preflight.postponed')}
      </Pill>
    )
  }
  return (
    <Pill tone="good" icon={IconArrowRight}>
      {t('preflight.moved')}
    </Pill>
  )
}

export function Obstacles({ obstacles }: { obstacles: readonly Obstacle[] }) {
  const { t } = useTranslation('migrations')
  return (
    <ul className={classes.obstacles}>
      {obstacles.map((each) => (
        <li key={`${each.kind} ${each.text}`}>
          <strong>{t(`preflight.kinds.${each.kind}`)}</strong> {each.text}
        </li>
      ))}
    </ul>
  )
}
