import { ProblemError, type Region } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { regionsQuery } from '#api/regions.ts'
import { toastSuccess } from '#ui/toast.ts'
import { useSentences } from '#ui/use-sentences.ts'
import { draftOf, errorsOf, formOf, newRegionForm, type RegionField, type RegionForm } from './region-form.ts'

export interface RegionFormState {
  form: RegionForm
  stored: Region | null
  set: (change: Partial<RegionForm>) => void
  leave: (field: RegionField) => void
  hasLeft: (field: RegionField) => boolean
  hasChanges: boolean
  /** By field, in English; nothing when the form can be tested and saved. */
  errors: Partial<Record<RegionField, string>>
  /** What is to be shown at a field, in the operator's language: after it was left, or what the server refused. */
  errorAt: (field: RegionField) => string | undefined
  save: ReturnType<typeof useSave>
  test: ReturnType<typeof useTest>
}

/** @param stored null for a new region */
export function useRegionForm(stored: Region | null, onSaved: () => void): RegionFormState {
  const [initial] = useState(() => (stored === null ? newRegionForm : formOf(stored)))
  const [form, setForm] = useState(initial)
  const [left, setLeft] = useState<ReadonlySet<RegionField>>(new Set())
  const translated = useSentences('regions')
  const save = useSave(stored, onSaved)
  const test = useTest(stored)
  const errors = errorsOf(form, stored)
  const refused = refusedFields(save.error ?? test.error)
  return {
    form,
    stored,
    set: (change) => {
      setForm({ ...form, ...change })
      // What was found belongs to what was tested.
      test.reset()
      save.reset()
    },
    leave: (field) => setLeft(new Set([...left, field])),
    hasLeft: (field) => left.has(field),
    hasChanges: JSON.stringify(form) !== JSON.stringify(initial),
    errors,
    errorAt: (field) => {
      // A number that cannot be is told while it is typed.
      const isTold = left.has(field) || field === 'maxNumOfTenants'
      const message = (isTold ? errors[field] : undefined) ?? refused.get(field)
      return message === undefined ? undefined : translated(message)
    },
    save,
    test,
  }
}

function useSave(stored: Region | null, onSaved: () => void) {
  const { t } = useTranslation('regions')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (form: RegionForm) => {
      if (stored === null) return (await client.call('createRegion', { body: draftOf(form) })).body
      const { confirmOtherServer } = form
      const body = { ...draftOf(form), id: stored.regionId, confirmOtherServer }
      return (await client.call('changeRegion', { body })).body
    },
    onSuccess: ({ regionName }) => {
      toastSuccess(regionName, stored === null ? t('new.saved') : t('edit.saved'))
      onSaved()
      return Promise.all(
        [regionsQuery.queryKey, ['rooms']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      )
    },
  })
}

function useTest(stored: Region | null) {
  return useMutation({
    mutationFn: async (form: RegionForm) => {
      const body = stored === null ? draftOf(form) : { ...draftOf(form), id: stored.regionId }
      return (await client.call('testRegion', { body })).body
    },
  })
}

/** What the server says about single fields. */
function refusedFields(error: Error | null): ReadonlyMap<string, string> {
  if (!(error instanceof ProblemError)) return new Map()
  const isName = error.code === 'region-name-taken' || error.code === 'region-name-used'
  if (isName) return new Map([['regionName', error.problem.detail]])
  return new Map((error.problem.errors ?? []).map(({ field, message }) => [field, message]))
}
