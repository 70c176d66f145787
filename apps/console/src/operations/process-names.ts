/** The names of processes and of what operations work on, in the operator's language. */
import type { ProcessType } from '@roomkeeper/contract'
import i18next, { type TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** Null: a process that has no name of its own. */
export type ProcessName = (process: ProcessType | null) => string

export function useProcessNames(): ProcessName {
  const { t, i18n } = useTranslation('operations')
  const { language } = i18n
  // biome-ignore lint/correctness/useExhaustiveDependencies: t changes with the language and when its texts are loaded.
  return useMemo(
    () => (process) => (process === null ? t('otherProcess') : t(`processes.${process}`, { defaultValue: process })),
    [language, t],
  )
}

/** The name of a process in a text that the server has stored, such as `Backup PR`; other texts stay as they are. */
export function nameOfProcess(text: string): string {
  const key = `operations:processes.${text as ProcessType}` as const
  return i18next.exists(key) ? String(i18next.t(key)) : text
}

/** The name of a room, or what is stored in its place for operations on many rooms. */
export function useSubjects(): (stored: string) => string {
  const { t } = useTranslation('operations')
  return (stored) => subjectIn(t, stored)
}

/** The same outside of components. */
export function nameOfSubject(stored: string): string {
  return subjectIn(i18next.getFixedT(null, 'operations'), stored)
}

function subjectIn(t: TFunction<'operations'>, stored: string): string {
  const count = /^(\d+) project rooms?$/.exec(stored)?.[1]
  if (count !== undefined) return t('subjects.rooms', { count: Number(count) })
  if (stored === 'all project rooms') return t('subjects.all')
  const region = /^all project rooms of (.+)$/.exec(stored)?.[1]
  return region === undefined ? stored : t('subjects.allOf', { region })
}
