import type { UseFormReturnType } from '@mantine/form'
import { type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { focusFirst, hasInput } from './inputs.ts'
import { type ResourceFormOptions, wholeForm } from './resource-form.ts'
import { errorsOf, refusalsAt, textOfError } from './validation.ts'

/** What is wrong with a form, and which fields show it. */
export function useErrors<Values extends object, Body, Answer>(
  options: ResourceFormOptions<Values, Body, Answer>,
  entries: UseFormReturnType<Values>,
  root: RefObject<HTMLFormElement | null>,
) {
  const { showsErrors = 'after-leaving', showsAtOnce } = options
  useTranslation('errors')
  const { values, errors: refused } = entries
  const [shown, setShown] = useState<ReadonlySet<string> | 'all'>(new Set())
  const waits = showsErrors === 'after-submit'
  const errors = errorsOf(options, values)
  const isShown = (path: string) => shown === 'all' || shown.has(path) || showsAtOnce?.(path, values) === true
  const [first] = Object.values(errors)
  return {
    errors,
    isShown,
    whyNot: waits || first === undefined ? null : textOfError(first),
    // The one place where what is wrong with a field becomes what stands at it.
    errorAt: (path: string) => {
      const found = (refused[path] as string | undefined) ?? (isShown(path) ? errors[path] : undefined)
      return found === undefined ? undefined : textOfError(found)
    },
    leave: (path: string) => {
      if (!waits) setShown((before) => (before === 'all' ? before : new Set([...before, path])))
    },
    /** What is shown only after an attempt belongs to the values that it was made with. */
    change: (paths: readonly string[]) => {
      if (waits) setShown((before) => without(before, [...paths, wholeForm]))
    },
    /** Shows everything that is wrong, and goes to the first of it. @returns whether anything is */
    showAll: (now: Values) => {
      const wrong = Object.keys(errorsOf(options, now))
      flushSync(() => setShown(waits ? new Set(wrong) : 'all'))
      focusFirst(root.current, wrong)
      return wrong.length > 0
    },
    showRefusals: (error: Error) => {
      const found = refusalsAt(options, error)
      flushSync(() => entries.setErrors(found))
      focusFirst(root.current, Object.keys(found))
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
