import type { UseFormReturnType } from '@mantine/form'
import { fieldErrorsOf, ProblemError, type RefusalCode } from '@roomkeeper/contract'
import { type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { textOfFieldError, textOfProblem } from '#locales/error-texts.ts'
import { focusFirstOf, hasInput } from './field-focus.ts'
import {
  type FormError,
  type FormErrors,
  type ResourceFormOptions,
  type Validation,
  wholeForm,
} from './resource-form.ts'

/** The errors of a form, and which fields show them. */
export function useErrors<Values extends object, Body, Answer>(
  options: ResourceFormOptions<Values, Body, Answer>,
  entries: UseFormReturnType<Values>,
  root: RefObject<HTMLFormElement | null>,
) {
  const { showsErrors = 'after-leaving', showsAtOnce } = options
  // A new form shows no errors, so it is drawn before their texts have loaded.
  useTranslation('errors', { useSuspense: false })
  const { values, errors: refused } = entries
  const [shown, setShown] = useState<ReadonlySet<string> | 'all'>(new Set())
  const waitsForSubmit = showsErrors === 'after-submit'
  const errors = errorsOf(options, values)
  const isShown = (path: string) => shown === 'all' || shown.has(path) || showsAtOnce?.(path, values) === true
  const [first] = Object.values(errors)
  return {
    all: errors,
    isShown,
    whyNot: waitsForSubmit || first === undefined ? null : textOfError(first),
    // Only here is it decided which error a field shows.
    errorAt: (path: string) => {
      const found = (refused[path] as string | undefined) ?? (isShown(path) ? errors[path] : undefined)
      return found === undefined ? undefined : textOfError(found)
    },
    blur: (path: string) => {
      if (!waitsForSubmit) setShown((before) => (before === 'all' ? before : new Set([...before, path])))
    },
    /** Errors that are shown only after an attempt belong to the values of that attempt. */
    change: (paths: readonly string[]) => {
      if (waitsForSubmit) setShown((before) => without(before, [...paths, wholeForm]))
    },
    /** Shows all errors and moves the focus to the first. @returns whether there are any */
    showAll: (now: Values) => {
      const wrong = Object.keys(errorsOf(options, now))
      flushSync(() => setShown(waitsForSubmit ? new Set(wrong) : 'all'))
      focusFirstOf(root.current, wrong)
      return wrong.length > 0
    },
    showRefusals: (error: Error) => {
      const found = refusalsAt(options, error)
      flushSync(() => entries.setErrors(found))
      focusFirstOf(root.current, Object.keys(found))
      return Object.entries(found)
        .filter(([field]) => !hasInput(root.current, field))
        .map(([field, message]) => ({ field, message }))
    },
    forget: () => {
      entries.clearErrors()
      setShown(new Set())
    },
  }
}

function without(shown: ReadonlySet<string> | 'all', paths: readonly string[]): ReadonlySet<string> | 'all' {
  return shown === 'all' ? shown : new Set([...shown].filter((each) => !paths.includes(each)))
}

export function bodyOf<Values extends object, Body>(validation: Validation<Values, Body>, values: Values): Body {
  return validation.bodyOf === undefined ? (values as unknown as Body) : validation.bodyOf(values)
}

export function errorsOf<Values extends object, Body>(
  validation: Validation<Values, Body>,
  values: Values,
): FormErrors {
  const { schema, checks } = validation
  return { ...(schema && bySchema(schema, bodyOf(validation, values))), ...checks?.(values) }
}

/** The first error of each field. */
function bySchema(schema: z.ZodType, body: unknown): FormErrors {
  const { error } = z.safeParse(schema, body)
  const found = error === undefined ? [] : fieldErrorsOf(error).toReversed()
  return Object.fromEntries(found.map((each) => [each.field, each]))
}

export function textOfError(error: FormError): string {
  return typeof error === 'string' ? error : textOfFieldError(error)
}

/** The refusals of a call by the path of the field that shows them; empty if the call failed for another reason. */
export function refusalsAt<Values extends object, Body>(
  validation: Validation<Values, Body>,
  error: Error,
): Readonly<Record<string, string>> {
  const { refusals = {}, pathOf = unchanged } = validation
  if (!(error instanceof ProblemError)) return {}
  const { errors } = error.problem
  if (errors !== undefined)
    return Object.fromEntries(errors.map((each) => [pathOf(each.field), textOfFieldError(each)]))
  const path = refusals[error.code as RefusalCode]
  return path === undefined ? {} : { [path]: textOfProblem(error.problem) }
}

function unchanged(path: string): string {
  return path
}
