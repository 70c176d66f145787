/**
 * The titles of operations: they follow the kind where it says more than the process does, or where there is no
 * process. A component that shows titles loads the texts, so that the list of rooms does not need them.
 */
import { type OperationSummary, roomName } from '@roomkeeper/contract'
import i18next, { type TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { nameOfProcess, useProcessNames, useSubjects } from './process-names.ts'

export type Titled = Pick<OperationSummary, 'kind' | 'sourceRegion' | 'targetRegion' | 'processType'>

/** Such as `Live migration r4 → r3`, `Backup PR`. */
export function useOperationTitles(): (operation: Titled) => string {
  const { t } = useTranslation('titles')
  const processName = useProcessNames()
  return (operation) => titleOfKind(t, operation) ?? processName(operation.processType)
}

/** With what it works on, unless that is a room: `Live migration r4 → r3, 6 project rooms`. */
export function useWholeTitles(): (operation: Titled & { projectRoomName: string }) => string {
  const { t } = useTranslation('titles')
  const titleOf = useOperationTitles()
  const subjectOf = useSubjects()
  return (operation) => {
    const title = titleOf(operation)
    const { projectRoomName: stored } = operation
    return isRoom(stored) || stored === '' ? title : t('titled', { title, subject: subjectOf(stored) })
  }
}

/** What monitoring shows beside the process; null: the process says it all. */
export function useKindTitles(): (operation: Titled) => string | null {
  const { t } = useTranslation('titles')
  return (operation) => titleOfKind(t, operation)
}

/** Outside of components: loads the texts. */
export async function loadTitle(): Promise<(operation: Titled) => string> {
  await i18next.loadNamespaces('titles').catch(() => undefined)
  const t = i18next.getFixedT(null, 'titles')
  return (operation) => {
    const { processType } = operation
    const process = processType === null ? i18next.t('operations:otherProcess') : nameOfProcess(processType)
    return titleOfKind(t, operation) ?? process
  }
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

export function isRoom(stored: string): boolean {
  return roomName.safeParse(stored).success
}

function titleOfKind(
  t: TFunction<'titles'>,
  { kind, sourceRegion: source, targetRegion: target }: Titled,
): string | null {
  const key = `kinds.${kind as 'migration.run'}` as const
  const title = t(key, { source: source ?? '…', target: target ?? '…', defaultValue: '' })
  return title === '' ? null : title
}
