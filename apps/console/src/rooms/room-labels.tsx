/** The texts of rooms in lists, looked up once per language instead of once per row. */
import {
  type Edition,
  editions,
  type Product,
  type ProjectRoom,
  type ProjectRoomState,
  products,
  projectRoomStates,
  type Region,
  type RegionHealth,
  type RoomFieldWith,
  roomFieldsWith,
  type SalesChannel,
  salesChannels,
} from '@roomkeeper/contract'
import { type Reason, roomReasons, whyDown } from '@roomkeeper/rules'
import {
  IconAlertCircle,
  IconBan,
  IconCircleCheck,
  IconPlayerPause,
  IconPlugConnectedX,
  IconProgress,
  IconTrash,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { formatRecent } from '#ui/format.ts'
import { type Look, Pill } from '#ui/Pill.tsx'
import classes from './room-labels.module.css'

type Naming = (name: string) => string

export interface RoomLabels {
  product: Readonly<Record<Product, string>>
  edition: Readonly<Record<Edition, string>>
  channel: Readonly<Record<SalesChannel, string>>
  unknownChannel: string
  state: Readonly<Record<ProjectRoomState, string>>
  undefinedState: string
  /** The titles of the columns for text fields of the catalogue. */
  textColumn: Readonly<Record<RoomFieldWith<'listColumn'>, string>>
  unlimited: string
  expired: string
  waiting: string
  operation: string
  reason: Readonly<Record<Reason, string>>
  /** The region of a room, marked if it is the target of a live migration. */
  region: (room: Pick<ProjectRoom, 'regionName' | 'regionIsMigrationTarget'>) => string
  /** Since when the region of this name is down; null: it is not, or that is not known. */
  whyDown: (regionName: string) => string | null
  /** Accessible names that contain the room's name. */
  edit: Naming
  delete: Naming
  showError: Naming
  checkRunning: Naming
  /** In which hidden columns the search was found. */
  foundIn: Naming
}

export function useRoomLabels(): RoomLabels {
  const { t } = useTranslation('rooms')
  const { data: down } = useQuery({ ...regionsQuery, select: downRegions })
  return useMemo(() => {
    const target = naming((name) => t('migrationTarget', { name }))
    return {
      product: forEach(products, (each) => t(`products.${each}`)),
      edition: forEach(editions, (each) => t(`editions.${each}`)),
      channel: forEach(salesChannels, (each) => t(`channels.${each}`)),
      unknownChannel: t('channels.unknown'),
      state: forEach(projectRoomStates, (each) => t(`states.${each}`)),
      undefinedState: t('states.undefined'),
      textColumn: forEach(roomFieldsWith('listColumn'), (each) => t(`fields.${each}.column`)),
      unlimited: t('unlimited'),
      expired: t('expired'),
      waiting: t('waiting'),
      operation: t('operation'),
      reason: forEach(roomReasons, (each) => t(`reasons.${each}`)),
      region: ({ regionName, regionIsMigrationTarget }) => (regionIsMigrationTarget ? target(regionName) : regionName),
      whyDown(name) {
        const region = down?.[name]
        return region == null ? null : t(`regionDown.${region.health}`, { since: formatRecent(region.since) })
      },
      edit: naming((name) => t('actions.edit', { name })),
      delete: naming((name) => t('actions.delete', { name })),
      showError: naming((name) => t('actions.showError', { name })),
      checkRunning: naming((name) => t('actions.checkRunning', { name })),
      foundIn: naming((columns) => t('search.foundIn', { columns })),
    }
  }, [t, down])
}

interface DownRegion {
  health: Exclude<RegionHealth, 'answers'>
  since: string
}

function downRegions(regions: readonly Region[]): Record<string, DownRegion> {
  return Object.fromEntries(
    regions.flatMap((region) => {
      const [health, since] = [whyDown(region), region.healthSince]
      return health === null || since === null ? [] : [[region.regionName, { health, since }]]
    }),
  )
}

function forEach<Key extends string>(keys: readonly Key[], labelOf: (key: Key) => string): Record<Key, string> {
  return Object.fromEntries(keys.map((key) => [key, labelOf(key)])) as Record<Key, string>
}

/** Interpolation is slow, so the position of the name in the text is found once. */
function naming(translate: Naming): Naming {
  const mark = '\u0000'
  const [before = '', after = ''] = translate(mark).split(mark)
  return (name) => before + name + after
}

const looks: Record<ProjectRoomState, Look> = {
  DEFAULT: { icon: IconCircleCheck, tone: 'good' },
  MARKED_FOR_DELETION: { icon: IconTrash, tone: 'quiet' },
  ERROR: { icon: IconAlertCircle, tone: 'bad' },
  DISABLED_REGION: { icon: IconBan, tone: 'quiet' },
  SUSPENDED: { icon: IconPlayerPause, tone: 'warn' },
  IN_PROGRESS: { icon: IconProgress, tone: 'busy' },
}

interface StatePillProps {
  state: ProjectRoomState
  labels: RoomLabels
  isSmall?: boolean
  /** How many rooms are in it, said before the state. */
  count?: string
}

/** A room's state. A state that this console does not know is shown as Undefined. */
export function StatePill({ state, labels, isSmall = false, count }: StatePillProps) {
  return (
    <Pill {...looks[state]} isSmall={isSmall}>
      {count !== undefined && `${count} `}
      {labels.state[state] ?? labels.undefinedState}
    </Pill>
  )
}

interface RegionDownProps {
  name: string
  labels: RoomLabels
  /** Whether the region's name stands beside it already. */
  isNamed?: boolean
}

/** Since when a region is down, in words; nothing while it answers. */
export function RegionDown({ name, labels, isNamed = false }: RegionDownProps) {
  const why = labels.whyDown(name)
  if (why === null) return null
  return (
    <Pill tone="bad" icon={IconPlugConnectedX} isLong>
      {isNamed ? why : `${name}: ${why}`}
    </Pill>
  )
}

interface RegionNameProps {
  room: Pick<ProjectRoom, 'regionName' | 'regionIsMigrationTarget'>
  labels: RoomLabels
}

/** The region of a room, marked if it is down. It has plain elements, because there are up to a hundred rows. */
export function RegionName({ room, labels }: RegionNameProps) {
  const why = labels.whyDown(room.regionName)
  if (why === null) return labels.region(room)
  return (
    <span className={classes.down} data-tip={why}>
      <span className="rk-cut">{labels.region(room)}</span>
      <IconPlugConnectedX size={15} stroke={1.9} role="img" aria-label={why} />
    </span>
  )
}
