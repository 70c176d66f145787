/**
 * The one form of the console. `useResourceForm` holds what was entered, what is wrong with it, and the call that saves
 * it; `Form` (in a `FormDialog`) or `FormPage` draws it; a field gets a name and a label and finds the rest by context.
 * A form's file reads like its screen: fields from top to bottom, then the buttons.
 *
 * The errors are computed from the values at every change, by the contract's schema and by the rules' checks. A field
 * shows it once the operator has left it or has tried to submit; until then it only keeps the button from being
 * pressed. A refusal of the server is shown at its field until that field changes, or in an alert if it belongs to no
 * field of the form. After an attempt the first wrong field of the screen has the focus.
 *
 * `@mantine/form` holds the values, the first ones and the refusals.
 */
import type { CodedError, RefusalCode } from '@roomkeeper/contract'
import { createContext, type RefObject, use } from 'react'
import type { z } from 'zod'

/** What is wrong with a field: by its code, or in the operator's language already. */
export type FormError = CodedError | string
/** By the path of the field; `wholeForm` for what is wrong with all of it. */
export type FormErrors = Readonly<Record<string, FormError>>

/** The path of an error of the form as a whole. */
export const wholeForm = ''

export interface ResourceFormOptions<Values extends object, Body, Answer> extends Validation<Values, Body> {
  initial: Values
  /** `initial` is what is stored and may change meanwhile: fields that nobody has touched follow it. */
  followsStored?: boolean
  /** When a field shows what is wrong with it: once it was left, or only after an attempt to submit. */
  showsErrors?: 'after-leaving' | 'after-submit'
  /** Fields that show it while they are filled in. */
  showsAtOnce?: (path: string, values: Values) => boolean
  /** Fields that can only be read. */
  isFixed?: (path: string) => boolean
  /** Whether leaving the form now loses something; by default, when something was changed. */
  isUnsaved?: (values: Values) => boolean
  /** A success is the end of the form: it is not submitted again, and leaving it loses nothing. */
  endsWithSuccess?: boolean
  /** Why nothing can be submitted although nothing is wrong. */
  whyNot?: (values: Values) => string | null
  /** After each change. */
  onChange?: () => void
  /** Before each attempt to submit, also when something is wrong. */
  onAttempt?: (values: Values) => void
  submit: (body: Body) => Promise<Answer>
  /** The form is busy until a promise that it returns is over. */
  onSuccess?: (answer: Answer, body: Body) => unknown
  onError?: (error: Error) => void
  onSettled?: () => unknown
}

/** What the entries mean, and what is wrong with them. */
export interface Validation<Values extends object, Body> {
  /** The entries as the wire needs them; by default as they are. */
  bodyOf?: (values: Values) => Body
  /** Of the contract, for the body. */
  schema?: z.ZodType
  /** What else is wrong. It comes before what the schema says about the same field. */
  checks?: (values: Values) => FormErrors
  /** The fields at which refusals stand that name none. */
  refusals?: Partial<Record<RefusalCode, string>>
  /** The path of the field that shows a field of the wire, where the two differ. */
  pathOf?: (field: string) => string
}

/** What is refused at a field that this form does not have. */
interface RefusedField {
  field: string
  message: string
}

/** Why the last attempt failed; gone with the next change, because it belongs to what was sent. */
export interface FormFailure {
  error: Error
  /** Refusals that belong to no field of this form. */
  others: readonly RefusedField[]
  /** All that was refused stands at fields. */
  isAtFields: boolean
}

export interface ResourceForm<Values extends object = Record<string, unknown>> {
  /** Of the <form>, for `Form`. */
  root: RefObject<HTMLFormElement | null>
  values: Values
  /** Everything that is wrong now, shown or not. */
  errors: FormErrors
  failure: FormFailure | null
  isPending: boolean
  /** Why the form cannot be submitted now, in the operator's language; null when it can be tried. */
  whyNot: string | null
  /** The field shows what is wrong with it now, if anything. */
  isShown: (path: string) => boolean
  /** The message to show at a path now, in the operator's language. */
  errorAt: (path: string) => string | undefined
  isFixed: (path: string) => boolean
  /** By paths; what was refused there is forgotten. */
  set: (changes: Partial<Values> | Readonly<Record<string, unknown>>) => void
  /** The field may show what is wrong with it from now on. */
  blur: (path: string) => void
  submit: () => void
  /** Whether leaving the form now loses something; also right before anything is drawn anew. */
  isUnsaved: () => boolean
  /** Forgets what was entered. */
  load: (values: Values) => void
  /** Shows at fields what a call has refused. @returns the refusals that belong to no field of this form */
  showRefusals: (error: Error) => readonly RefusedField[]
  /** Before what a call refuses is shown anew. */
  forgetRefusals: () => void
}

/** The form around a field or a button. Its fields know their values by path, and not its type. */
export const FormContext = createContext<ResourceForm | null>(null)

export function useFormContext(): ResourceForm {
  const form = use(FormContext)
  if (form === null) throw new Error('This is for the content of a form only.')
  return form
}

/**
 * What the input of a field needs. Whatever shows a value other than as the form holds it translates both ways.
 * @param onBlur called, too, when the input loses the focus
 */
export function useField<Value>(path: string, onLeave?: () => void) {
  const form = useFormContext()
  const [field = ''] = path.split('.')
  if (!(field in form.values)) throw new Error(`The form has no field ${path}.`)
  return {
    value: valueAt(form.values, path) as Value,
    set: (next: Value) => form.set({ [path]: next }),
    /** Props for the input: its path, its error, and its blur handler. */
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
