import { useForm } from '@mantine/form'
import type { FieldError, Region, RoomDraft } from '@roomkeeper/contract'
import { dayInUtc } from '@roomkeeper/rules'
import { useMemo, useRef, useState } from 'react'
import type { RoomFormContext, UsedLicences } from './form-context.ts'
import { draftOf, type RoomForm } from './room-form.ts'
import { type FormErrors, placeOf } from './room-form-errors.ts'
import { useMessages } from './use-messages.ts'

interface RoomFormOptions {
  initial: RoomForm
  regions: readonly Region[]
  /** Everything that is wrong with the form. `today` is the day in UTC, `YYYY-MM-DD`. */
  errorsOf: (form: RoomForm, today: string) => FormErrors
  isFixed: (path: string) => boolean
  used: UsedLicences | null
  delegateTakesLicence: (draft: RoomDraft) => boolean
}

/**
 * The state of the form of a room. What is wrong is computed from the values at every change; an input shows it once
 * it was left, or after an attempt to submit, and counts at once, because they start right. Mantine's own errors
 * hold what the server refused: they go when their input changes.
 */
export function useRoomForm(options: RoomFormOptions) {
  const { initial, regions, errorsOf, isFixed, used, delegateTakesLicence } = options
  const values = useForm<RoomForm>({ initialValues: initial })
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set())
  const [submitted, setSubmitted] = useState(false)
  const root = useRef<HTMLFormElement>(null)
  const translated = useMessages()
  const today = dayInUtc(new Date())
  const form = values.values
  const draft = useMemo(() => draftOf(form), [form])
  const errors = errorsOf(form, today)

  const errorAt = (path: string): string | undefined => {
    const refused = values.errors[path]
    if (typeof refused === 'string') return translated(refused)
    const shown = submitted || visited.has(path) || startsRight(path) || (path === 'region' && form.region !== null)
    const message = shown ? errors[path] : undefined
    return message === undefined ? undefined : translated(message)
  }
  const visit = (path: string) => {
    if (!visited.has(path)) setVisited(new Set([...visited, path]))
  }
  const set = (changes: Partial<RoomForm>) => {
    for (const [field, value] of Object.entries(changes)) values.setFieldValue(field, value)
    for (const path of Object.keys(values.errors)) {
      if (Object.keys(changes).some((field) => path.startsWith(`${field}.`))) values.clearFieldError(path)
    }
  }
  const parts: RoomFormContext = {
    form,
    draft,
    today,
    regions,
    errors,
    used,
    delegateTakesLicence: delegateTakesLicence(draft),
    set,
    visit,
    errorAt,
    isFixed,
    at: (path) => ({
      'data-path': path,
      error: errorAt(path),
      onBlur: () => visit(path),
      disabled: isFixed(path),
    }),
  }
  return {
    parts,
    root,
    hasChanges: values.isDirty(),
    /** Forgets what was entered. */
    load: (loaded: RoomForm) => {
      values.setValues(loaded)
      values.resetDirty(loaded)
      values.clearErrors()
      setVisited(new Set())
      setSubmitted(false)
    },
    showAllErrors: () => setSubmitted(true),
    /** @returns the refusals that belong to no input of this form. */
    showRefusals: (refusals: readonly FieldError[]): FieldError[] => {
      const placed = refusals.map(({ field, message }) => ({ field: placeOf(field), message }))
      const homeless = placed.filter(({ field }) => inputAt(root.current, field) === undefined)
      values.setErrors(Object.fromEntries(placed.map(({ field, message }) => [field, message])))
      focusFirst(root.current, new Set(placed.map(({ field }) => field)))
      return homeless
    },
    focusFirstWrong: () => focusFirst(root.current, new Set(Object.keys(errors))),
  }
}

function startsRight(path: string): boolean {
  return path.startsWith('licenses.') || path.startsWith('subLicenses.')
}

function inputsOf(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[data-path]') ?? [])]
}

function inputAt(root: HTMLElement | null, path: string): HTMLElement | undefined {
  return inputsOf(root).find((each) => each.dataset.path === path)
}

/** The first in the order of the page. */
function focusFirst(root: HTMLElement | null, paths: ReadonlySet<string>): void {
  inputsOf(root)
    .find((each) => paths.has(each.dataset.path ?? ''))
    ?.focus()
}
