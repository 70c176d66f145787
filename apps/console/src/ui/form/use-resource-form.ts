/** The state of a form; see resource-form.ts. */
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { isSame, withChanges } from './changes.ts'
import { useFirstFocus } from './field-focus.ts'
import type { ResourceForm, ResourceFormOptions, SubmitFailure } from './resource-form.ts'
import { bodyOf, refusalsAt, useErrors } from './use-errors.ts'

export function useResourceForm<Values extends object, Body = Values, Answer = unknown>(
  options: ResourceFormOptions<Values, Body, Answer>,
): ResourceForm<Values> {
  const { initial, followsStored = false, isFixed = never, whyNot = nothing } = options
  const root = useRef<HTMLFormElement>(null)
  const entries = useForm<Values>({ initialValues: initial })
  useStored(entries, initial, followsStored)
  const { values } = entries
  const errors = useErrors(options, entries, root)
  const { isShown, errorAt, showRefusals } = errors
  const { hasEnded, isPending, failure, setFailure, send, forget } = useSending(options, entries, showRefusals)
  const isChanged = (now: Values) => !isSame(now, entries.getInitialValues())
  const { focusFirst, isLeftUntouched } = useFirstFocus(root, isChanged)
  return {
    ...{ root, values, isFixed, isPending, failure },
    ...{ errors: errors.all, isShown, errorAt, showRefusals, focusFirst },
    blur: (path) => {
      if (!isLeftUntouched(path, entries.getValues())) errors.blur(path)
    },
    forgetRefusals: () => entries.clearErrors(),
    whyNot: whyNot(values) ?? errors.whyNot,
    isUnsaved: () => !hasEnded() && (options.isUnsaved ?? isChanged)(entries.getValues()),
    set: (changes) => {
      const paths = Object.keys(changes)
      if (paths.length === 0) return
      setEntries(entries, changes)
      errors.change(paths)
      setFailure(null)
      options.onChange?.()
    },
    submit: () => {
      const now = entries.getValues()
      if (isPending || hasEnded() || whyNot(now) !== null) return
      options.onAttempt?.(now)
      setFailure(null)
      entries.clearErrors()
      if (errors.showAll(now)) return
      if (options.confirms === undefined) send(now)
      else void options.confirms(now).then((isConfirmed) => isConfirmed && send(now))
    },
    load: (loaded, sent) => {
      entries.setValues(sent === undefined ? loaded : withChanges(loaded, sent, entries.getValues()))
      entries.resetDirty(loaded)
      forget()
      errors.forget()
      setFailure(null)
    },
  }
}

/** The call that saves the form. */
function useSending<Values extends object, Body, Answer>(
  options: ResourceFormOptions<Values, Body, Answer>,
  entries: UseFormReturnType<Values>,
  showRefusals: ResourceForm['showRefusals'],
) {
  const [failure, setFailure] = useState<SubmitFailure | null>(null)
  // A ref, not a state: navigating away after a success must not ask, although nothing was rendered in between.
  const ended = useRef(false)
  // What was sent last, until other values are loaded.
  const lastSent = useRef<Values | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: (sent: Values) => options.submit(bodyOf(options, sent)),
    onSuccess: (answer, sent) => {
      ended.current = options.endsWithSuccess ?? false
      if (lastSent.current === sent) entries.resetDirty(sent)
      return options.onSuccess?.(answer, bodyOf(options, sent), sent)
    },
    onError: (error) => {
      const others = showRefusals(error)
      const isAtFields = others.length === 0 && Object.keys(refusalsAt(options, error)).length > 0
      setFailure({ error, others, isAtFields })
      options.onError?.(error)
    },
    onSettled: () => options.onSettled?.(),
  })
  const send = (now: Values) => {
    lastSent.current = now
    mutate(now)
  }
  const forget = () => {
    lastSent.current = null
  }
  return { hasEnded: () => ended.current, isPending, failure, setFailure, send, forget }
}

/** When another operator stores other values, untouched fields follow them. */
function useStored<Values extends object>(
  entries: UseFormReturnType<Values>,
  stored: Values,
  isFollowed: boolean,
): void {
  const follow = useEffectEvent((known: Values) => {
    if (!isFollowed || isSame(known, entries.getInitialValues())) return
    entries.setValues(withChanges(known, entries.getInitialValues(), entries.getValues()))
    entries.resetDirty(known)
  })
  useLayoutEffect(() => follow(stored), [stored])
}

/** Sets values and removes their refusals: a refusal at a field, or at a part of it, belongs to the former value. */
function setEntries<Values extends object>(entries: UseFormReturnType<Values>, changes: object): void {
  const paths = Object.keys(changes)
  for (const [path, value] of Object.entries(changes)) entries.setFieldValue(path, value as never)
  for (const refused of Object.keys(entries.errors)) {
    if (paths.some((path) => refused.startsWith(`${path}.`))) entries.clearFieldError(refused)
  }
}

function nothing(): null {
  return null
}

function never(): boolean {
  return false
}
