import { Box, Text, Title } from '@mantine/core'
import type { LiveMigration, MigratingRoom, MigrationProgress } from '@roomkeeper/contract'
import {
  IconArrowBackUp,
  IconArrowRight,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconClockPause,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { intlTag } from '#locales/number-format.ts'
import { FailureText, stepTitle, WaitingStep } from '#operations/index.ts'
import { formatBytes, formatDuration, formatMoment, useNumberFormat } from '#ui/format.ts'
import { type Look, Pill } from '#ui/Pill.tsx'
import { ThinProgress } from '#ui/ThinProgress.tsx'
import classes from './LiveMigrations.module.css'
import { MigrationStatePill } from './MigrationsTable.tsx'
import { progressQuery, useMigrationName } from './queries.ts'

interface RunProgressProps {
  migration: LiveMigration
  /** The level of its heading, one below the surrounding one. */
  order: 3 | 4
  /** Called when a link leads to a region's settings. */
  onLeave?: (() => void) | undefined
}

/** The progress of a configuration's newest run; nothing before the first run. */
export function RunProgress({ migration, order, onLeave }: RunProgressProps) {
  const { t, i18n } = useTranslation('migrations')
  const list = new Intl.ListFormat(intlTag(i18n.language))
  const name = useMigrationName()(migration)
  const { data, dataUpdatedAt } = useQuery(progressQuery(migration.id))
  const moving = new Set(data?.rooms.filter(({ state }) => state === 'running').map(({ operationId }) => operationId))
  useRefetchOnEvents(
    progressQuery(migration.id).queryKey,
    (event) => event.type === 'operation' && moving.has(event.operationId),
  )
  if (data === undefined || data === null) return null
  const over = data.done + data.failed + data.postponed
  // After the run has ended, rooms that were moved are not listed.
  const rooms = data.endedAt === null ? data.rooms : data.rooms.filter((room) => room.state !== 'migrated')
  return (
    <Box
      component="section"
      mt="sm"
      px="md"
      py="sm"
      className="rk-column rk-gap-xs rk-panel"
      aria-label={t('run.title', { name })}
    >
      <div className="rk-row rk-gap-sm">
        <Title order={order} size="h3">
          {t('run.title', { name })}
        </Title>
        <MigrationStatePill state={data.state} />
        <Box component="span" className="rk-note" ml="auto">
          {t('run.startedBy', { who: data.startedBy, when: formatMoment(data.startedAt) })}
        </Box>
      </div>
      <ThinProgress value={data.total === 0 ? 0 : over / data.total} label={t('run.title', { name })} />
      <Figures progress={data} />
      {data.waitsFor.length > 0 && (
        <Text className="rk-text" c="var(--rk-warn)">
          {t('run.waitsFor', { count: data.waitsFor.length, names: list.format(data.waitsFor) })}
        </Text>
      )}
      {rooms.length > 0 && (
        <ul className={classes.rooms} aria-label={t('run.rooms')}>
          {rooms.map((room) => (
            <Room
              key={room.projectRoomName}
              room={room}
              isGoingOn={data.state === 'RUNNING'}
              asOf={dataUpdatedAt}
              onLeave={onLeave}
            />
          ))}
        </ul>
      )}
    </Box>
  )
}

function Figures({ progress }: { progress: MigrationProgress }) {
  const { t, i18n } = useTranslation('migrations')
  const number = useNumberFormat()
  const { total, done, inFlight, waiting, postponed, failed, bytesMoved, bytesPerSecond, secondsLeft, endedAt } =
    progress
  const size = (bytes: number) => formatBytes(bytes, i18n.language)
  // After Stop no further room is begun.
  const label = (figure: keyof typeof figures) =>
    figure === 'waiting' && progress.state !== 'RUNNING' ? t('run.figures.notBegun') : t(`run.figures.${figure}`)
  const figures = {
    done: t('run.of', { n: number.format(done), total: number.format(total) }),
    inFlight: number.format(inFlight),
    waiting: number.format(waiting),
    postponed: number.format(postponed),
    failed: number.format(failed),
    moved: size(bytesMoved),
    ...(endedAt === null && bytesPerSecond !== null
      ? { rate: t('run.perSecond', { size: size(bytesPerSecond) }) }
      : {}),
    ...(endedAt === null && secondsLeft !== null ? { left: formatDuration(secondsLeft * 1000, i18n.language) } : {}),
    ...(endedAt === null ? {} : { ended: formatMoment(endedAt) }),
  }
  return (
    <dl className="rk-facts">
      {(Object.keys(figures) as (keyof typeof figures)[]).map((figure) => (
        <div key={figure}>
          <dt>{label(figure)}</dt>
          <dd>{figures[figure]}</dd>
        </div>
      ))}
    </dl>
  )
}

const looks = {
  waiting: { tone: 'quiet', icon: IconClock },
  running: { tone: 'busy', icon: IconArrowRight },
  migrated: { tone: 'good', icon: IconCircleCheck },
  postponed: { tone: 'warn', icon: IconClockPause },
  failed: { tone: 'bad', icon: IconCircleX },
  notBegun: { tone: 'quiet', icon: IconClock },
  cancelling: { tone: 'warn', icon: IconArrowBackUp },
  beingPutBack: { tone: 'warn', icon: IconArrowBackUp },
} as const satisfies Record<ShownState, Look>

type ShownState = MigratingRoom['state'] | 'notBegun' | 'cancelling' | 'beingPutBack'

function shownState({ state, isCancelling, isBeingPutBack }: MigratingRoom, isGoingOn: boolean): ShownState {
  // After Stop no further room is begun.
  if (state === 'waiting' && !isGoingOn) return 'notBegun'
  if (state !== 'running') return state
  if (isBeingPutBack) return 'beingPutBack'
  return isCancelling ? 'cancelling' : 'running'
}

interface RoomProps {
  room: MigratingRoom
  /** false: no further room is begun. */
  isGoingOn: boolean
  /** When the answer came, in milliseconds since 1970. */
  asOf: number
  onLeave: (() => void) | undefined
}

function Room({ room, isGoingOn, asOf, onLeave }: RoomProps) {
  const { t } = useTranslation(['migrations', 'operations'])
  const { projectRoomName, state, step, stepId, progress, waiting, reason, reasons } = room
  const shown = shownState(room, isGoingOn)
  return (
    <li className={classes.room}>
      <span>{projectRoomName}</span>
      <span>
        <Pill {...looks[shown]}>{t(`run.states.${shown}`, { defaultValue: shown })}</Pill>
      </span>
      {state === 'running' ? (
        <span className={classes.step}>
          <span>{step === null ? t('run.inLine') : stepTitle(stepId, step)}</span>
          <Box component="span" flex={1} miw={40} maw={160}>
            <ThinProgress value={progress} label={t('run.progressOf', { name: projectRoomName })} />
          </Box>
          {waiting !== null && <WaitingStep waiting={waiting} asOf={asOf} onLeave={onLeave} />}
        </span>
      ) : (
        <span className="rk-text rk-dimmed">
          <FailureText reasons={reasons} text={reason ?? ''} onLeave={onLeave} />
        </span>
      )}
    </li>
  )
}
