import type { RoomDraft } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client, useIdempotencyKey } from '#api/client.ts'
import { apiQuery } from '#api/queries.ts'
import { toastAccepted } from '#operations/index.ts'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { BackButton, Page } from '#ui/Page.tsx'
import { NewRoomForm } from '../form/NewRoomForm.tsx'
import { emptyRoomForm, formOf, type RoomForm } from '../form/room-form.ts'
import { RoomNotFound } from '../RoomNotFound.tsx'

const route = getRouteApi('/project/_signed-in/create_project_room')

/** The screen that creates a project room, empty or like the one that the address names. */
export function CreateRoomPage() {
  const { t } = useTranslation('create')
  const { from } = route.useSearch()
  const goToList = useGoToList()
  return (
    <Page title={t('title')} width="form" before={<BackButton onClick={goToList} />}>
      {from === undefined ? <NewRoom initial={emptyRoomForm()} /> : <Duplicate key={from} original={from} />}
    </Page>
  )
}

function Duplicate({ original }: { original: string }) {
  const { data, error, isPending, refetch } = useQuery(duplicateQuery(original))
  if (isPending) return <FullScreenSpinner />
  if (data === undefined) return <RoomNotFound name={original} error={error} onAgain={() => void refetch()} />
  return <NewRoom initial={formOf({ ...data, tenantName: data.proposedName })} original={original} />
}

/** Asked once for each form: another answer could not change what is entered. */
function duplicateQuery(original: string) {
  const query = apiQuery(['duplicate-draft', original], 'draftDuplicate', { body: { projectRoom: original } })
  return { ...query, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }
}

function NewRoom({ initial, original }: { initial: RoomForm; original?: string }) {
  const { t } = useTranslation('create')
  const goToList = useGoToList()
  const keyFor = useIdempotencyKey()
  const texts = { submit: t('submit'), failed: t('failed'), afterFailure: t('againIsSafe'), leave: t('leave') }
  return (
    <NewRoomForm
      initial={initial}
      original={original}
      texts={texts}
      send={(draft: RoomDraft) => client.call('createRoom', { body: draft, headers: keyFor(draft) })}
      onAccepted={(draft, operationId) => {
        toastAccepted(operationId, {
          title: t('title'),
          text: t('accepted.text', { room: draft.tenantName }),
        })
        goToList()
      }}
    />
  )
}

function useGoToList(): () => void {
  const navigate = useNavigate()
  return () => void navigate({ to: '/project/administration' })
}
