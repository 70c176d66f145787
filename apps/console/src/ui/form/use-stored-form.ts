/** The form of a stored record, which others may change while it is open. */
import { ProblemError, type RefusalCode } from '@roomkeeper/contract'
import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { differences, isSame, rebased, resolveChange, type Settings } from './changes.ts'
import type { ResourceForm, ResourceFormOptions } from './resource-form.ts'
import { useResourceForm } from './use-resource-form.ts'

/** Null for a new record. */
type Versioned = { readonly version: number } | null

interface StoredRecord<Stored extends Versioned, Values extends object, Setting extends string, Body> {
  /** The record as the page knows it. */
  stored: Stored
  valuesOf: (stored: Stored) => Values
  /** Converts the entries to the API's format; by default they are sent as they are. */
  bodyOf?: (values: Values, base: Stored) => Body
  /** What is compared; by default all entries. */
  settings?: Settings<Values, Setting>
  /** With which the server refuses entries that are based on an old version. */
  refusal: RefusalCode
  /** For a page that does not follow the record: fetches it after that refusal. */
  refetch?: () => Promise<Stored | undefined>
}

interface StoredFormOptions<Stored extends Versioned, Values extends object, Body, Answer>
  extends Omit<ResourceFormOptions<Values, Body, Answer>, 'initial' | 'followsStored' | 'bodyOf'> {
  /** The saved record, if the answer has it. */
  recordIn?: (answer: Answer) => Stored | null
}

/** The entries differ from what another operator has stored meanwhile. */
export interface Conflict<Values, Setting extends string> {
  mine: Values
  stored: Values
  /** The settings in which the two differ. */
  differing: readonly Setting[]
  /** Says what has happened. */
  refusal: RefusalCode
  takeStored: () => void
  keepMine: () => void
}

interface Known<Stored, Values> {
  /** The record on which the entries are based. */
  base: Stored
  /** The record that the server had when it refused the entries. */
  refusedBy: Stored | null
  /** The entries that the server has accepted, but not stored yet. */
  accepted: Values | null
}

interface StoredForm<Stored, Values extends object, Setting extends string> {
  form: ResourceForm<Values>
  base: Stored
  /** When the server has stored entries of this form last. */
  savedAt: Date | null
  conflict: Conflict<Values, Setting> | null
}

/**
 * When the record has changed, an untouched form follows it; a form with entries keeps them, cannot be submitted and
 * has a conflict, which the operator decides. What the form itself has sent is no conflict, and entries that were typed
 * since stay.
 * @param optionsOf the form's options, by the record on which the entries are based
 */
export function useStoredForm<
  Stored extends Versioned,
  Values extends object,
  Setting extends string = keyof Values & string,
  Body = Values,
  Answer = unknown,
>(
  record: StoredRecord<Stored, Values, Setting, Body>,
  optionsOf: (base: Stored) => StoredFormOptions<Stored, Values, Body, Answer>,
): StoredForm<Stored, Values, Setting> {
  const { stored, valuesOf, bodyOf, settings = allEntries(), refusal, refetch } = record
  // The texts of a conflict are loaded with the form; see `loadTexts`.
  const { t } = useTranslation('meanwhile')
  const [{ base, refusedBy, accepted }, setKnown] = useState<Known<Stored, Values>>(basedOn(stored))
  const [savedAt, setSavedAt] = useState<Date | null>(null)
  const newest = versionOf(refusedBy) >= versionOf(stored) ? (refusedBy as Stored) : stored
  const [before, after] = [valuesOf(base), valuesOf(newest)]
  const whatNow = (entered: Values) => {
    if (versionOf(newest) <= versionOf(base)) return null
    if (newest === refusedBy) return 'conflict'
    if (accepted !== null && differences(settings, accepted, after).length === 0) return 'stored'
    return resolveChange(settings, { entered, before, stored: after })
  }
  const options = optionsOf(base)
  const form = useResourceForm<Values, Body, Answer>({
    ...options,
    initial: before,
    bodyOf: bodyOf && ((entered) => bodyOf(entered, base)),
    // Entries that were carried over to a newer version are unsaved, although the form was loaded with them.
    isUnsaved: options.isUnsaved ?? ((entered) => !isSame(entered, before)),
    whyNot: (entered) => options.whyNot?.(entered) ?? (whatNow(entered) === 'conflict' ? t('decideFirst') : null),
    onSuccess: (answer, body, entered) => {
      const saved = options.recordIn?.(answer) ?? null
      if (saved === null) setKnown((known) => ({ ...known, refusedBy: null, accepted: entered }))
      else startFrom(saved, valuesOf(saved), entered)
      return options.onSuccess?.(answer, body, entered)
    },
    onError: async (error) => {
      options.onError?.(error)
      if (refetch === undefined || !(error instanceof ProblemError) || error.code !== refusal) return
      // If this fails, the refusal stays in sight.
      const now = await refetch().catch(() => undefined)
      if (now !== undefined) setKnown((known) => ({ ...known, refusedBy: now, accepted: null }))
    },
  })
  const now = whatNow(form.values)
  const goOn = (from: Stored, values: Values, since?: Values) => {
    setKnown(basedOn(from))
    form.load(values, since)
  }
  const startFrom = (saved: Stored, values: Values, entered: Values | undefined) => {
    setSavedAt(new Date())
    goOn(saved, values, entered)
  }
  const follow = useEffectEvent(() => {
    if (now === 'stored') startFrom(newest, after, accepted ?? undefined)
    if (now === 'follow') goOn(newest, after)
    if (now === 'keep') setKnown((known) => ({ ...known, base: newest, refusedBy: null }))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the record or what to do has changed.
  useLayoutEffect(() => follow(), [now, newest])
  if (now !== 'conflict') return { form, base, savedAt, conflict: null }
  const mine = form.values
  const conflict = {
    mine,
    stored: after,
    differing: differences(settings, mine, after),
    refusal,
    takeStored: () => goOn(newest, after),
    keepMine: () => goOn(newest, rebased(settings, { entered: mine, before, stored: after })),
  }
  return { form, base, savedAt, conflict }
}

function allEntries<Values, Setting extends string>(): Settings<Values, Setting> {
  return { of: (values) => values as Readonly<Record<Setting, unknown>> }
}

function basedOn<Stored, Values>(base: Stored): Known<Stored, Values> {
  return { base, refusedBy: null, accepted: null }
}

/** 0 for a record that is not stored yet. */
function versionOf(record: Versioned): number {
  return record?.version ?? 0
}
