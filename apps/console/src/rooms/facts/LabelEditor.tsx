import type { ProjectRoom, RoomList } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { LabelsInput, labelsQuery } from '#labels/index.ts'
import { isSessionEnd, textOf } from '#locales/error-texts.ts'
import { withRow } from '../list/queries.ts'
import { roomQuery } from '../queries.ts'

/** The labels of a room; each change is saved at once. */
export function LabelEditor({ room: { tenantName: name, labels } }: { room: ProjectRoom }) {
  const { t } = useTranslation('labels')
  const queryClient = useQueryClient()
  const { mutate, isPending, variables, error } = useMutation({
    // One after another, so that the last change is the one that stays.
    scope: { id: `labels of ${name}` },
    mutationFn: (next: string[]) => client.call('labelRoom', { body: { projectRoom: name, labels: next } }),
    onSuccess: ({ body }) => {
      queryClient.setQueryData(roomQuery(name).queryKey, body)
      queryClient.setQueriesData<RoomList>({ queryKey: ['rooms', 'list'] }, (list) => withRow(list, body))
      void queryClient.invalidateQueries({ queryKey: labelsQuery.queryKey })
    },
  })
  return (
    <LabelsInput
      title={t('of', { name })}
      labels={isPending ? variables : labels}
      onChange={mutate}
      refused={error === null || isSessionEnd(error) ? null : textOf(error)}
    />
  )
}
