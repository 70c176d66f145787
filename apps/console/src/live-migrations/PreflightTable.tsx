import type { Obstacle, PreflightRoom } from '@roomkeeper/contract'
import { IconAlertCircle, IconArrowRight, IconClockPause } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '#operations/format-duration.ts'
import { formatBytes } from '#ui/format-bytes.ts'
import { Pill } from '#ui/Pill.tsx'
import tableClasses from '#ui/Table.module.css'
import classes from './LiveMigrations.module.css'

/** What would become of each room, and why. */
export function PreflightTable({ rooms }: { rooms: readonly PreflightRoom[] }) {
  const { t } = useTranslation('migrations')
  return (
    <div className={`${tableClasses.scroll} ${classes.preflight}`}>
      <table className={tableClasses.table} aria-label={t('preflight.title')}>
        <thead>
          <tr>
            <th scope="col">{t('pick.columns.name')}</th>
            <th scope="col">{t('preflight.columns.outcome')}</th>
            <th scope="col">{t('preflight.columns.obstacles')}</th>
            <th scope="col" className={tableClasses.right}>
              {t('preflight.columns.size')}
            </th>
            <th scope="col" className={tableClasses.right}>
              {t('preflight.columns.time')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rooms.map((room) => (
            <PreflightRow key={room.projectRoomName} room={room} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function PreflightRow({ room }: { room: PreflightRoom }) {
  const { i18n } = useTranslation()
  const { projectRoomName, obstacles, bytes, seconds } = room
  return (
    <tr>
      <th scope="row">{projectRoomName}</th>
      <td className={tableClasses.noWrap}>
        <Outcome obstacles={obstacles} />
      </td>
      <td>
        <Obstacles obstacles={obstacles} />
      </td>
      <td className={`${tableClasses.right} ${tableClasses.noWrap}`}>
        {bytes === null ? '–' : formatBytes(bytes, i18n.language)}
      </td>
      <td className={`${tableClasses.right} ${tableClasses.noWrap}`}>
        {seconds === null ? '–' : formatDuration(seconds * 1000)}
      </td>
    </tr>
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
