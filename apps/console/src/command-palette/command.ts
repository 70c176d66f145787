/** What the command palette offers, and which of it answers to what is typed. */
import type { IconDoor } from '@tabler/icons-react'

/** What is known at once stands first, so that rooms that are still being searched do not move it. */
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
  /** What it answers to, where that is not the label. */
  keywords?: string
  /** It goes on in the palette instead of closing it. */
  staysOpen?: true
  run: () => void
}

/** Every word of the query begins some word of the label, in whichever order. */
export function answersTo({ label, keywords = label }: Command, query: string): boolean {
  const offered = wordsOf(keywords)
  return wordsOf(query).every((word) => offered.some((each) => each.startsWith(word)))
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

export interface Asked<Verb extends string> {
  /** What is to be done with the rooms that are looked for; null: nothing is said about that. */
  verb: Verb | null
  /** What the rooms are looked for by. */
  text: string
}

/** `suspend acme` asks to suspend the rooms that `acme` finds. @param words how the verbs are written */
export function askedOf<Verb extends string>(query: string, words: Readonly<Record<Verb, string>>): Asked<Verb> {
  const typed = query.trimStart().toLowerCase()
  const verb = (Object.keys(words) as Verb[]).find((each) => typed.startsWith(`${words[each].toLowerCase()} `))
  if (verb === undefined) return { verb: null, text: query.trim() }
  return { verb, text: query.trimStart().slice(words[verb].length).trim() }
}

/** In the order of the groups; nobody is offered the same twice. */
export function inOrder(commands: readonly Command[]): Command[] {
  const seen = new Set<string>()
  return groups.flatMap((group) =>
    commands.filter((each) => {
      if (each.group !== group || seen.has(each.id)) return false
      seen.add(each.id)
      return true
    }),
  )
}
