import { storedList, storeList } from '#api/stored-lists.ts'
import { answersTo, type Command, inOrder } from './command.ts'
import { useRegionCommands } from './use-region-commands.ts'
import { namedRoomCommand, useOpenRoom, useRoomCommands } from './use-room-commands.ts'
import { type Panels, useScreenCommands } from './use-screen-commands.ts'

interface CommandsOptions {
  query: string
  /** What is typed, once typing pauses. */
  settledQuery: string
  setQuery: (query: string) => void
  panels: Panels
}

/** What the palette offers for what is typed, in its order; without a query what was used last comes first. */
export function useCommands({ panels, ...options }: CommandsOptions) {
  const screens = useScreenCommands(panels)
  const regions = useRegionCommands()
  const rooms = useRoomCommands(options)
  const openRoom = useOpenRoom()
  const isBlank = options.query.trim() === ''
  const fixed = [...rooms.starters, ...screens]
  const matching = rooms.asksForVerb ? [] : [...fixed, ...regions].filter((each) => answersTo(each, options.query))
  const recent = (): Command[] =>
    recentIds().flatMap((id) => {
      const room = /^room:([^:]+)$/.exec(id)?.[1]
      const found = room === undefined ? [...screens, ...regions].find((each) => each.id === id) : undefined
      const command = room === undefined ? found : namedRoomCommand(room, openRoom)
      return command === undefined ? [] : [{ ...command, group: 'recent' as const }]
    })
  return {
    commands: inOrder(isBlank ? [...recent(), ...fixed] : [...matching, ...rooms.commands]),
    isSearching: rooms.isSearching,
    error: isBlank ? null : rooms.error,
  }
}

/** What was chosen in the palette last, newest first. Names of rooms are customers' data: cleared with the session. */
const table = 'recentCommands'
const mostRecent = 6

function recentIds(): readonly string[] {
  const stored = storedList(table, '')
  return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string').slice(0, mostRecent) : []
}

export function noteRecent(id: string): void {
  storeList(table, '', [id, ...recentIds().filter((each) => each !== id)].slice(0, mostRecent))
}
