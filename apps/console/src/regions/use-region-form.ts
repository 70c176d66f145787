import type { Region } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { regionsQuery } from '#api/queries.ts'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { toastSuccess } from '#ui/toast.ts'
import { useSentences } from '#ui/use-sentences.ts'
import { draftOf, errorsOf, formOf, newRegionForm, type RegionForm } from './region-form.ts'

interface RegionFormOptions {
  /** null for a new region */
  stored: Region | null
  onSaved: () => void
  onChange: () => void
}

export function useRegionForm({ stored, onSaved, onChange }: RegionFormOptions) {
  const { t } = useTranslation('regions')
  const queryClient = useQueryClient()
  return useResourceForm({
    initial: stored === null ? newRegionForm : formOf(stored),
    checks: (form) => errorsOf(form, stored),
    // A number that cannot be is told while it is typed, and an address that is stored already is told of at once.
    showsAtOnce: (field) => field === 'maxNumOfTenants' || (field === 'regionIPorURL' && stored !== null),
    translate: useSentences('regions'),
    refusals: { 'region-name-taken': 'regionName', 'region-name-used': 'regionName' },
    onChange,
    submit: async (form) => {
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

/** Whether a region answers to what was entered. @param stored null for a new region */
export function useConnectionTest(stored: Region | null) {
  return useMutation({
    mutationFn: async (form: RegionForm) => {
      const body = stored === null ? draftOf(form) : { ...draftOf(form), id: stored.regionId }
      return (await client.call('testRegion', { body })).body
    },
  })
}

export type ConnectionTest = ReturnType<typeof useConnectionTest>
