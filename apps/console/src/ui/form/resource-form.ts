/**
 * The form of the console. `useResourceForm` holds the entries, their errors and the call that saves them; `Form` (in a
 * `FormDialog`) or `FormPage` draws it; a field gets a name and a label and finds the rest by context. The file of a
 * form reads like its screen: fields from top to bottom, then the buttons.
 *
 * Errors are computed from the values at every change, by the contract's schema and by the rules' checks. A field shows
 * its error once the operator has left it or has tried to submit; until then the error only disables the button. A
 * refusal of the server is shown at its field until that field changes, or in an alert if it belongs to no field of the
 * form. After an attempt, the first wrong field on the screen gets the focus.
 *
 * `@mantine/form` holds the values, the initial values and the refusals.
 */
import type { CodedError, RefusalCode } from '@roomkeeper/contract'
import { createContext, type RefObject, use } from 'react'
import type { z } from 'zod'

/** An error of a field: coded, or a text in the operator's language. */
export type FormError = CodedError | string
/** Errors by the path of the field; `wholeForm` for an error of the form as a whole. */
export type FormErrors = Readonly<Record<string, FormError>>

/** The path of an error of the form as a whole. */
export const wholeForm = ''

export interface ResourceFormOptions<Values extends object, Body, Answer> extends Validation<Values, Body> {
  initial: Values
  /** Whether untouched fields follow `initial`, which is what is stored and may change while the form is open. */
  followsStored?: boolean
  /** When a field shows its error: once it was left, or only after an attempt to submit. */
  showsErrors?: 'after-leaving' | 'after-submit'
  /** Fields that show their error while they are filled in. */
  showsAtOnce?: (path: string, values: Values) => boolean
  /** Fields that are read-only. */
  isFixed?: (path: string) => boolean
  /** Whether leaving the form now loses entries; by default, whether something was changed. */
  isUnsaved?: (values: Values) => boolean
  /** Whether the form ends with a success: it is not submitted again, and leaving it loses nothing. */
  endsWithSuccess?: boolean
  /** Why the form cannot be submitted although it has no errors. */
  whyNot?: (values: Values) => string | null
  /** Called after each change. */
  onChange?: () => void
  /** Called before each attempt to submit, even if there are errors. */
  onAttempt?: (values: Values) => void
  /** Asks before entries without errors are sent; false: they are not. */
  confirms?: (values: Values) => Promise<boolean>
  submit: (body: Body) => Promise<Answer>
  /**
   * Called with the entries that were sent. Give them to `load` if it is called here, so that what was typed meanwhile
   * stays. The form stays busy until a returned promise has settled.
   */
  onSuccess?: (answer: Answer, body: Body, sent: Values) => unknown
  onError?: (error: Error) => void
  onSettled?: () => unknown
}

/** The meaning and the errors of the entries. */
export interface Validation<Values extends object, Body> {
  /** Converts the entries to the API's format; by default they are sent as they are. */
  bodyOf?: (values: Values) => Body
  /** The contract's schema of the body. */
  schema?: z.ZodType
  /** Further errors. They take precedence over the schema's errors of the same field. */
  checks?: (values: Values) => FormErrors
  /** The fields that show refusals that name no field. */
  refusals?: Partial<Record<RefusalCode, string>>
  /** Maps a field of the API to the path of the field that shows it, if they differ. */
  pathOf?: (field: string) => string
}

/** A refusal of a field that this form does not have. */
interface RefusedField {
  field: string
  message: string
}

/** Why the last attempt failed. It belongs to what was sent, so the next change removes it. */
export interface SubmitFailure {
  error: Error
  /** Refusals that belong to no field of this form. */
  others: readonly RefusedField[]
  /** Whether every refusal is shown at a field. */
  isAtFields: boolean
}

export interface ResourceForm<Values extends object = Record<string, unknown>> {
  /** The <form> element, for `Form`. */
  root: RefObject<HTMLFormElement | null>
  values: Values
  /** All present errors, shown or not. */
  errors: FormErrors
  failure: SubmitFailure | null
  isPending: boolean
  /** Why the form cannot be submitted now, in the operator's language; null if it can. */
  whyNot: string | null
  /** Whether the field would show an error now. */
  isShown: (path: string) => boolean
  /** The message that is shown at a path now, in the operator's language. */
  errorAt: (path: string) => string | undefined
  isFixed: (path: string) => boolean
  /** Changes values by path and removes the refusals shown there. */
  set: (changes: Partial<Values> | Readonly<Record<string, unknown>>) => void
  /** The field has been left and may show its error from now on. */
  blur: (path: string) => void
  /** Moves the focus to the first field that takes entries, because the form opens. */
  focusFirst: () => void
  submit: () => void
  /** Whether leaving the form now loses entries; up to date even before the next render. */
  isUnsaved: () => boolean
  /**
   * Starts from other values and discards the entries.
   * @param sent fields that differ from these entries have been changed since they were sent: they stay, unsaved
   */
  load: (values: Values, sent?: Values) => void
  /** Shows the refusals of a call at their fields. @returns the refusals that belong to no field of this form */
  showRefusals: (error: Error) => readonly RefusedField[]
  /** Removes all refusals, before a call is repeated. */
  forgetRefusals: () => void
}

/** The form around a field or a button. Fields find their values by path, without knowing the form's type. */
export const FormContext = createContext<ResourceForm | null>(null)

export function useFormContext(): ResourceForm {
  const form = use(FormContext)
  if (form === null) throw new Error('This is for the content of a form only.')
  return form
}

/**
 * What the input of a field needs. An input that shows another form of the value converts it both ways.
 * @param onLeave also called when the input loses the focus
 */
export function useField<Value>(path: string, onLeave?: () => void) {
  const form = useFormContext()
  const [field = ''] = path.split('.')
  if (!(field in form.values)) throw new Error(`The form has no field ${path}.`)
  return {
    value: valueAt(form.values, path) as Value,
    set: (next: Value) => form.set({ [path]: next }),
    input: {
      'data-path': path,
      error: form.errorAt(path),
      disabled: form.isFixed(path),
      onBlur: () => {
        form.blur(path)
        onLeave?.()
      },
    },
  }
}

function valueAt(values: object, path: string): unknown {
  return path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], values)
}
