/**
 * The names of operations, of their steps and of what they work on, in the operator's language. A component that shows
 * them asks for the texts: `operations`, and for titles also `titles`, which the list of rooms does without.
 */
import { type OperationSummary, type ProcessType, roomName } from '@roomkeeper/contract'
import i18next from 'i18next'
import { nameIn } from '#locales/error-texts.ts'

export type Titled = Pick<OperationSummary, 'kind' | 'sourceRegion' | 'targetRegion' | 'processType'>

/** @param process null: one that has no name of its own */
export function processName(process: ProcessType | null): string {
  return process === null ? i18next.t('operations:otherProcess') : (nameIn('processes', process) ?? process)
}

/** @param title the server's, for a step that this console does not know */
export function stepTitle(id: string | null, title: string): string {
  return (id === null ? null : nameIn('stepTitles', id)) ?? title
}

/** Such as `Live migration r4 → r3`, `Backup PR`: the kind where it says more than the process, or there is none. */
export function operationTitle(operation: Titled): string {
  return kindTitle(operation) ?? processName(operation.processType)
}

/** With what it works on, unless that is a room: `Live migration r4 → r3, 6 project rooms`. */
export function titleWithTarget(operation: Titled & { projectRoomName: string }): string {
  const title = operationTitle(operation)
  const { projectRoomName: stored } = operation
  return isRoom(stored) || stored === '' ? title : i18next.t('titles:titled', { title, subject: targetName(stored) })
}

/** What monitoring shows beside the process; null: the process says it all. */
export function kindTitle({ kind, sourceRegion: source, targetRegion: target }: Titled): string | null {
  const key = `titles:kinds.${kind as 'migration.run'}` as const
  const title = i18next.t(key, { source: source ?? '…', target: target ?? '…', defaultValue: '' })
  return title === '' ? null : title
}

/** The kinds whose titles contain the text, in any case: for the search in monitoring. */
export function kindsContaining(text: string): string[] {
  if (!i18next.isInitialized) return []
  const needle = text.toLowerCase()
  const groups = i18next.getResource(i18next.language, 'titles', 'kinds') as
    | Record<string, Record<string, string>>
    | undefined
  return Object.entries(groups ?? {}).flatMap(([noun, titles]) =>
    Object.entries(titles)
      .filter(([, title]) => !title.includes('{{') && title.toLowerCase().includes(needle))
      .map(([verb]) => `${noun}.${verb}`),
  )
}

/** The name of a room, or what the server stores in its place for operations on many rooms: it has no code for that. */
export function targetName(stored: string): string {
  const count = /^(\d+) project rooms?$/.exec(stored)?.[1]
  if (count !== undefined) return i18next.t('operations:subjects.rooms', { count: Number(count) })
  if (stored === 'all project rooms') return i18next.t('operations:subjects.all')
  const region = /^all project rooms of (.+)$/.exec(stored)?.[1]
  return region === undefined ? stored : i18next.t('operations:subjects.allOf', { region })
}

/** The same where a text begins with it. */
export function targetNameAtStart(stored: string): string {
  const name = targetName(stored)
  return isRoom(stored) ? name : name.charAt(0).toLocaleUpperCase(i18next.language) + name.slice(1)
}

export function isRoom(stored: string): boolean {
  return roomName.safeParse(stored).success
}
