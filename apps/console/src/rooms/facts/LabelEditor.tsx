import type { ProjectRoom, RoomList } from '@roomkeeper/contract'
import { type LabelChange, labelsWith } from '@roomkeeper/rules'
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { LabelsInput, labelsQuery } from '#labels/index.ts'
import { isSessionEnd, textOf } from '#locales/error-texts.ts'
import { roomListsKey, withRow } from '../list/queries.ts'
import { roomQuery } from '../queries.ts'

/** The labels of a room; each change is saved at once. */
export function LabelEditor({ room: { tenantName: name, labels } }: { room: ProjectRoom }) {
  const { t } = useTranslation('labels')
  const queryClient = useQueryClient()
  const mutationKey = ['label', name]
  const { mutate, error } = useMutation({
    mutationKey,
    // One after another, so that the answer that comes last is the newest.
    scope: { id: `labels of ${name}` },
    mutationFn: (change: LabelChange) => client.call('labelRoom', { body: { projectRoom: name, ...change } }),
    onSuccess: ({ body }) => {
      queryClient.setQueryData(roomQuery(name).queryKey, body)
      queryClient.setQueriesData<RoomList>({ queryKey: roomListsKey }, (list) => withRow(list, body))
      void queryClient.invalidateQueries({ queryKey: labelsQuery.queryKey })
      void queryClient.invalidateQueries({ queryKey: ['rooms', 'history', name] })
    },
  })
  const pending = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as LabelChange,
  })
  return (
    <LabelsInput
      title={t('of', { name })}
      labels={pending.reduce(labelsWith, labels)}
      onChange={mutate}
      refused={error === null || isSessionEnd(error) ? null : textOf(error)}
    />
  )
}
