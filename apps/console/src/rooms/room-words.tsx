/** The words for what a room is and what is done with it, looked up once per language instead of once per row. */
import {
  type Edition,
  editions,
  type Product,
  type ProjectRoom,
  type ProjectRoomState,
  products,
  projectRoomStates,
  type Region,
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
import { type Look, Pill } from '#ui/Pill.tsx'
import { RegionHealth, useHealthText } from '#ui/RegionHealth.tsx'
import classes from './room-words.module.css'

type Naming = (name: string) => string

export interface RoomWords {
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
  /** In so many days, or today. */
  expiresIn: (days: number) => string
  waiting: string
  operation: string
  reason: Readonly<Record<Reason, string>>
  /** The region of a room, marked if it is the target of a live migration. */
  region: (room: Pick<ProjectRoom, 'regionName' | 'regionIsMigrationTarget'>) => string
  /** The region of the room if it is down. */
  downRegion: (room: Pick<ProjectRoom, 'region'>) => Region | undefined
  /** Accessible names that contain the room's name. */
  edit: Naming
  delete: Naming
  showError: Naming
  checkRunning: Naming
  /** In which hidden columns the search was found. */
  foundIn: Naming
  /** The texts of its pinned notes. */
  pinned: Naming
}

export function useRoomWords(): RoomWords {
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
      expiresIn: (count) => t('expiresIn', { count }),
      waiting: t('waiting'),
      operation: t('operation'),
      reason: forEach(roomReasons, (each) => t(`reasons.${each}`)),
      region: ({ regionName, regionIsMigrationTarget }) => (regionIsMigrationTarget ? target(regionName) : regionName),
      downRegion: ({ region }) => down?.find(({ regionId }) => regionId === region),
      edit: naming((name) => t('actions.edit', { name })),
      delete: naming((name) => t('actions.delete', { name })),
      showError: naming((name) => t('actions.showError', { name })),
      checkRunning: naming((name) => t('actions.checkRunning', { name })),
      foundIn: naming((columns) => t('search.foundIn', { columns })),
      pinned: naming((text) => t('notes.pinned', { text })),
    }
  }, [t, down])
}

function downRegions(regions: readonly Region[]): Region[] {
  return regions.filter((each) => whyDown(each) !== null)
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
  words: RoomWords
  isSmall?: boolean
  /** How many rooms are in it, said before the state. */
  count?: string
}

/** A room's state. A state that this console does not know is shown as Undefined. */
export function StatePill({ state, words, isSmall = false, count }: StatePillProps) {
  return (
    <Pill {...looks[state]} isSmall={isSmall}>
      {count !== undefined && `${count} `}
      {words.state[state] ?? words.undefinedState}
    </Pill>
  )
}

interface RegionNameProps {
  room: Pick<ProjectRoom, 'region' | 'regionName' | 'regionIsMigrationTarget'>
  words: RoomWords
}

interface RegionDownProps extends RegionNameProps {
  /** Whether the region's name stands beside it already. */
  isNamed?: boolean
}

/** That the region of a room is down; nothing while it answers. */
export function RegionDown({ room, words, isNamed = false }: RegionDownProps) {
  const region = words.downRegion(room)
  return region !== undefined && <RegionHealth region={region} {...(isNamed ? {} : { name: region.regionName })} />
}

/** The region of a room, marked if it is down. It has plain elements, because there are up to a hundred rows. */
export function RegionName({ room, words }: RegionNameProps) {
  const region = words.downRegion(room)
  return region === undefined ? words.region(room) : <DownRegionName name={words.region(room)} region={region} />
}

function DownRegionName({ name, region }: { name: string; region: Region }) {
  const why = useHealthText()(region)
  return (
    <span className={classes.down} data-tip={why}>
      <span className="rk-cut">{name}</span>
      <IconPlugConnectedX size={15} stroke={1.9} role="img" aria-label={why} />
    </span>
  )
}
