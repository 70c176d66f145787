/** The texts of the list, looked up once per language instead of once per row. */
import {
  type Edition,
  editions,
  type Product,
  type ProjectRoom,
  type ProjectRoomState,
  products,
  projectRoomStates,
  type RoomFieldWith,
  roomFieldsWith,
  type SalesChannel,
  salesChannels,
} from '@roomkeeper/contract'
import { type Reason, roomReasons } from '@roomkeeper/rules'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type StepTitle, useStepTitles } from '#operations/index.ts'

type Naming = (name: string) => string

export interface RoomLabels {
  product: Readonly<Record<Product, string>>
  edition: Readonly<Record<Edition, string>>
  channel: Readonly<Record<SalesChannel, string>>
  unknownChannel: string
  state: Readonly<Record<ProjectRoomState, string>>
  undefinedState: string
  /** The titles of columns that show a text of the catalogue. */
  textColumn: Readonly<Record<RoomFieldWith<'listColumn'>, string>>
  unlimited: string
  waiting: string
  operation: string
  /** A step as the operator's language names it. */
  step: StepTitle
  reason: Readonly<Record<Reason, string>>
  /** The region of a room, with the note that it is the target of a live migration if it is. */
  region: (room: Pick<ProjectRoom, 'regionName' | 'regionIsMigrationTarget'>) => string
  /** Accessible names, with the room's name in them. */
  edit: Naming
  delete: Naming
  showError: Naming
  checkRunning: Naming
}

export function useRoomLabels(): RoomLabels {
  const { t } = useTranslation('rooms')
  const step = useStepTitles()
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
      waiting: t('waiting'),
      operation: t('operation'),
      step,
      reason: forEach(roomReasons, (each) => t(`reasons.${each}`)),
      region: ({ regionName, regionIsMigrationTarget }) => (regionIsMigrationTarget ? target(regionName) : regionName),
      edit: naming((name) => t('actions.edit', { name })),
      delete: naming((name) => t('actions.delete', { name })),
      showError: naming((name) => t('actions.showError', { name })),
      checkRunning: naming((name) => t('actions.checkRunning', { name })),
    }
  }, [t, step])
}

function forEach<Key extends string>(keys: readonly Key[], labelOf: (key: Key) => string): Record<Key, string> {
  return Object.fromEntries(keys.map((key) => [key, labelOf(key)])) as Record<Key, string>
}

/** Interpolating is slow, so the position of the name is found once. */
function naming(translate: Naming): Naming {
  const mark = '\u0000'
  const [before = '', after = ''] = translate(mark).split(mark)
  return (name) => before + name + after
}
