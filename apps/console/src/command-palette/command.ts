/** The commands of the palette, and which of them match the query. */
import type { Icon } from '@tabler/icons-react'

/** Commands that are known at once come first, so that rooms that are found later do not move them. */
export const groups = ['recent', 'screens', 'actions', 'regions', 'filteredRooms', 'rooms', 'roomActions'] as const
export type Group = (typeof groups)[number]

export interface Command {
  /** Such as `screen:statistics`; the id of a command never changes. */
  id: string
  group: Group
  label: string
  /** Shown after the label. */
  detail?: string
  /** Why the command is not possible now. */
  why?: string | null
  icon: Icon
  /** The text that the query is matched with; by default the label. */
  keywords?: string
  /** Whether the palette stays open when the command runs. */
  staysOpen?: true
  run: () => void
}

/** Whether the server has found the command, so that it may belong to a former search. */
export function isFound({ group }: Command): boolean {
  return group === 'filteredRooms' || group === 'rooms' || group === 'roomActions'
}

/** Whether every word of the query is the start of a word of the label, in any order. */
export function matchesQuery({ label, keywords = label }: Command, query: string): boolean {
  const offered = wordsOf(keywords)
  return wordsOf(query).every((word) => offered.some((each) => each.startsWith(word)))
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

interface RequestedAction<Verb extends string> {
  /** The action on the found rooms; null if the query names none. */
  verb: Verb | null
  /** The text by which rooms are found. */
  text: string
}

/** `suspend acme` requests to suspend rooms found by `acme`. @param words the verbs in the operator's language */
export function requestedActionOf<Verb extends string>(
  query: string,
  words: Readonly<Record<Verb, string>>,
): RequestedAction<Verb> {
  const typed = query.trimStart().toLowerCase()
  const verb = (Object.keys(words) as Verb[]).find((each) => typed.startsWith(`${words[each].toLowerCase()} `))
  if (verb === undefined) return { verb: null, text: query.trim() }
  return { verb, text: query.trimStart().slice(words[verb].length).trim() }
}

/** Sorts commands by group and removes duplicates. */
export function sortCommands(commands: readonly Command[]): Command[] {
  const ids = new Set<string>()
  return groups.flatMap((group) =>
    commands.filter((each) => {
      if (each.group !== group || ids.has(each.id)) return false
      ids.add(each.id)
      return true
    }),
  )
}
