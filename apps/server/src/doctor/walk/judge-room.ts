/** Makes the findings about all rooms and copies of one name from what the console and the regions have. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { RoomInfo, RoomSettings } from '@roomkeeper/region-protocol'
import { settingsOf } from '#rooms/index.ts'
import type { NewFinding } from '../finding.ts'
import type { ConsoleRoom, Copy, DamagedCopy, Namesakes } from './merge-rooms.ts'
import type { RegionWalk } from './region-walk.ts'

/** By id; includes regions that cannot be asked. */
export type RegionsById = ReadonlyMap<number, RegionWalk>

export function judgeRoom({ name, room, copies, damaged }: Namesakes, regions: RegionsById): NewFinding[] {
  if (room?.busy === true) return []
  const unread = damaged.map((copy) => damagedRoom(name, room, copy))
  if (room === null) return [...copies.map((copy) => unknownRoom(name, copy, copies)), ...unread]
  const same = copies.filter(({ info }) => info.roomId === room.id)
  const home = copies.find(({ region }) => region.id === room.regionId)
  const otherCopies = same.filter(({ region }) => region.id !== room.regionId)
  const others = copies.filter((copy) => copy !== home && copy.info.roomId !== room.id)
  const found = [...unread, ...others.map((copy) => unknownRoom(name, copy, others))]
  const homeIsThere = home?.info.roomId === room.id
  // Nothing is known about a region that does not answer, but copies in other regions are certainly not in use.
  const homeIsSilent = regions.get(room.regionId)?.lost !== null
  const homeIsDamaged = damaged.some(({ region }) => region.id === room.regionId)
  if (homeIsThere || homeIsSilent || homeIsDamaged)
    found.push(...otherCopies.map((copy) => secondCopy(room, copy, regions, homeIsDamaged)))
  // The state ERROR already says that something is wrong.
  if (room.state === 'ERROR' || homeIsSilent) return found
  if (room.state === 'IN_PROGRESS' || room.state === 'MARKED_FOR_DELETION') return [...found, stuck(room, regions)]
  if (homeIsDamaged) return found
  if (home === undefined) return [...found, missingRoom(room, otherCopies, regions)]
  return [...found, ...(homeIsThere ? differences(room, home) : [otherRoom(room, home)])]
}

function unknownRoom(name: string, { region, info }: Copy, all: readonly Copy[]): NewFinding {
  const others = all.filter((each) => each.region.id !== region.id && each.info.roomId === info.roomId)
  return {
    kind: 'room-unknown',
    section: 'rooms',
    room: { id: info.roomId, name },
    regionId: region.id,
    alsoIn: others.map((each) => each.region.id),
    facts: { room: name, region: region.name },
  }
}

/** The id of a damaged copy is unknown; in the room's own region the copy is assumed to be the room. */
function damagedRoom(name: string, room: ConsoleRoom | null, { region, reason }: DamagedCopy): NewFinding {
  const id = room?.regionId === region.id ? room.id : null
  const facts = { room: name, region: region.name, reason }
  return { kind: 'room-damaged', section: 'rooms', room: { id, name }, regionId: region.id, facts }
}

function secondCopy(room: ConsoleRoom, { region }: Copy, regions: RegionsById, isOnlyWhole: boolean): NewFinding {
  const names = { room: room.name, region: region.name, home: nameOf(regions, room.regionId) }
  const facts = isOnlyWhole ? { ...names, damaged: names.home } : names
  return { ...about(room, region.id), kind: 'room-twice', alsoIn: [room.regionId], facts }
}

function stuck(room: ConsoleRoom, regions: RegionsById): NewFinding {
  const facts = { room: room.name, state: room.state, region: nameOf(regions, room.regionId) }
  return { ...about(room, room.regionId), kind: 'room-stuck', facts }
}

function missingRoom(room: ConsoleRoom, otherCopies: Copy[], regions: RegionsById): NewFinding {
  const facts = { room: room.name, region: nameOf(regions, room.regionId) }
  if (otherCopies.length === 0) return { ...about(room, room.regionId), kind: 'room-missing', facts }
  const unasked = [...regions.values()].filter(({ lost }) => lost !== null)
  return {
    ...about(room, room.regionId),
    kind: 'room-elsewhere',
    alsoIn: otherCopies.map(({ region }) => region.id),
    facts: {
      ...facts,
      other: namesOf(otherCopies.map(({ region }) => region)),
      ...(unasked.length === 0 ? {} : { unasked: namesOf(unasked) }),
    },
  }
}

function namesOf(regions: readonly RegionWalk[]): string {
  return regions.map(({ name }) => name).join(', ')
}

function otherRoom(room: ConsoleRoom, { region }: Copy): NewFinding {
  return { ...about(room, region.id), kind: 'room-id-differs', facts: { room: room.name, region: region.name } }
}

function differences(room: ConsoleRoom, { region, info }: Copy): NewFinding[] {
  const found: NewFinding[] = []
  const add = (kind: NewFinding['kind'], facts: NewFinding['facts']) =>
    found.push({ ...about(room, region.id), kind, facts: { room: room.name, region: region.name, ...facts } })
  const [product, productThere] = [`${room.product} ${room.edition}`, `${info.product} ${info.edition}`]
  if (product !== productThere) add('product-differs', { expected: product, found: productThere })
  const state = expectedState(room)
  if (state !== info.state) add('state-differs', { expected: state, found: info.state })
  const fields = differingSettings(room, info)
  if (fields.length > 0) add('settings-differ', { fields: fields.join(', ') })
  if (info.lock !== null) add('lock-orphaned', { holder: info.lock.holder })
  return found
}

export function expectedState({ state }: Pick<ConsoleRoom, 'state'>): 'active' | 'suspended' {
  return state === 'SUSPENDED' ? 'suspended' : 'active'
}

/** A region may report only the expiration date. */
export function differingSettings(room: ConsoleRoom, info: RoomInfo): (keyof RoomSettings)[] {
  const recorded = settingsOf(room)
  const reported: Partial<RoomSettings> = info.settings ?? { expirationDate: info.expirationDate }
  const fields = Object.keys(reported) as (keyof RoomSettings)[]
  return fields.filter((field) => !isSame(recorded[field], reported[field]))
}

/** Deep equality is checked first because it is cheap and nearly always true. */
function isSame(recorded: unknown, reported: unknown): boolean {
  return isDeepStrictEqual(recorded, reported) || canonical(recorded) === canonical(reported)
}

/** Ignores the order of list entries and of fields. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${entries
    .map(([key, each]) => `${key}:${canonical(each)}`)
    .sort()
    .join()}}`
}

function about(room: ConsoleRoom, regionId: number) {
  return { section: 'rooms', room: { id: room.id, name: room.name }, regionId } as const
}

function nameOf(regions: RegionsById, id: number): string {
  return regions.get(id)?.name ?? String(id)
}
