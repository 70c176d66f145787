/** The form of a room for its sections: the form itself, and what the rules say about the room that it describes. */
import type { Region, RoomDraft } from '@roomkeeper/contract'
import { dayInUtc } from '@roomkeeper/rules'
import { createContext, use, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ResourceForm } from '#ui/form/resource-form.ts'
import { draftOf, type RoomForm } from './room-form.ts'

/** Licences in use by key, according to the room's region. */
export type UsedLicences = ReadonlyMap<string, number> | 'loading' | 'unknown'

interface RoomParts {
  regions: readonly Region[]
  /** Null for a new room. */
  used: UsedLicences | null
  /** Whether there is no free licence for the delegate. */
  delegateTakesLicence: (draft: RoomDraft) => boolean
}

export interface RoomFormContext extends Omit<RoomParts, 'delegateTakesLicence'>, ResourceForm<RoomForm> {
  draft: RoomDraft
  /** The day in UTC. */
  today: string
  delegateTakesLicence: boolean
}

export const RoomFormContext = createContext<RoomFormContext | null>(null)

export function useRoomForm(): RoomFormContext {
  const form = use(RoomFormContext)
  if (form === null) throw new Error('useRoomForm is for the sections of the form of a room only.')
  return form
}

export function useRoomFormValue(form: ResourceForm<RoomForm>, parts: RoomParts): RoomFormContext {
  const draft = useMemo(() => draftOf(form.values), [form.values])
  return { ...form, ...parts, draft, today: today(), delegateTakesLicence: parts.delegateTakesLicence(draft) }
}

/** In UTC, because the rules count days in UTC. */
export function today(): string {
  return dayInUtc(new Date())
}

/** The texts of the question before unsaved entries are lost. */
export function useLeaveTexts(title: string) {
  const { t } = useTranslation('form')
  return { title, text: t('leave.text'), stay: t('leave.stay'), leave: t('leave.discard') }
}
