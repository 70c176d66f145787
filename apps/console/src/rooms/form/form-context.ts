/** The form of a room for its sections: values, what belongs to an input, and what is wrong. */
import type { Region, RoomDraft } from '@roomkeeper/contract'
import { createContext, use } from 'react'
import type { RoomForm } from './room-form.ts'
import type { FormErrors } from './room-form-errors.ts'

/** Licences in use by key, as the room's region counts them. */
export type UsedLicences = ReadonlyMap<string, number> | 'loading' | 'unknown'

export interface RoomFormContext {
  form: RoomForm
  draft: RoomDraft
  /** The day in UTC. */
  today: string
  regions: readonly Region[]
  /** Everything that is wrong now, shown or not, in English. */
  errors: FormErrors
  /** null for a room that does not exist yet. */
  used: UsedLicences | null
  /** There is no free licence for the delegate. */
  delegateTakesLicence: boolean
  set: (changes: Partial<RoomForm>) => void
  /** An input may show its error from now on. */
  visit: (path: string) => void
  /** The message to show at a path now, in the operator's language. */
  errorAt: (path: string) => string | undefined
  /** The input at a path can be read only. */
  isFixed: (path: string) => boolean
  /** What every input of a path needs: `data-path` to be found by, its error, and to be noticed when it is left. */
  at: (path: string) => { 'data-path': string; error: string | undefined; onBlur: () => void; disabled: boolean }
}

export const RoomFormContext = createContext<RoomFormContext | null>(null)

export function useFormParts(): RoomFormContext {
  const parts = use(RoomFormContext)
  if (parts === null) throw new Error('useFormParts is for the sections of the form of a room only.')
  return parts
}

type TextField = {
  [Field in keyof RoomForm]: RoomForm[Field] extends string ? (string extends RoomForm[Field] ? Field : never) : never
}[keyof RoomForm]

/** The props of a text input for a field of the form. */
export function useTextField(field: TextField) {
  const { form, set, at } = useFormParts()
  return {
    ...at(field),
    value: form[field],
    onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      set({ [field]: event.currentTarget.value }),
  }
}
