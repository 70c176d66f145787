/** The commands of the palette, and which of them match the query. */
import type { IconDoor } from '@tabler/icons-react'

/** Commands that are known at once come first, so that rooms that are found later do not move them. */
export const groups = ['recent', 'screens', 'actions', 'regions', 'rooms', 'roomActions'] as const
export type Group = (typeof groups)[number]

export interface Command {
  /** Such as `screen:statistics`; the same command has the same id for ever. */
  id: string
  group: Group
  label: string
  /** Stands behind the label. */
  detail?: string
  /** Why it cannot be done now. */
  why?: string | null
  icon: typeof IconDoor
  /** What the query is matched with, if not the label. */
  keywords?: string
  /** It continues in the palette instead of closing it. */
  staysOpen?: true
  run: () => void
}

/** Every word of the query starts some word of the label, in any order. */
export function answersTo({ label, keywords = label }: Command, query: string): boolean {
  const offered = wordsOf(keywords)
  return wordsOf(query).every((word) => offered.some((each) => each.startsWith(word)))
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

export interface RequestedAction<Verb extends string> {
  /** The action on the rooms that are searched; null: none. */
  verb: Verb | null
  /** The text by which rooms are searched. */
  text: string
}

/** `suspend acme` asks to suspend the rooms that `acme` finds. @param words the verbs in the operator's language */
export function requestedActionOf<Verb extends string>(
  query: string,
  words: Readonly<Record<Verb, string>>,
): RequestedAction<Verb> {
  const typed = query.trimStart().toLowerCase()
  const verb = (Object.keys(words) as Verb[]).find((each) => typed.startsWith(`${words[each].toLowerCase()} `))
  if (verb === undefined) return { verb: null, text: query.trim() }
  return { verb, text: query.trimStart().slice(words[verb].length).trim() }
}

/** In the order of the groups, without duplicates. */
export function inOrder(commands: readonly Command[]): Command[] {
  const ids = new Set<string>()
  return groups.flatMap((group) =>
    commands.filter((each) => {
      if (each.group !== group || ids.has(each.id)) return false
      ids.add(each.id)
      return true
    }),
  )
}
