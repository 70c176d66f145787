import type { ProjectRoom } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import i18next from 'i18next'
import { regionsQuery } from '#api/queries.ts'
import { openStartBulk } from '#bulks/index.ts'
import { useBackUp, useDeleteRoom, useStateChange } from '#rooms/index.ts'
import { toastError, toastSuccess } from '#ui/toast.ts'
import type { RoomAction } from './room-actions.ts'

/** @returns a function that takes an action on a room; it asks first where that is needed */
export function useActOnRoom(): (action: RoomAction, room: ProjectRoom) => void {
  const navigate = useNavigate()
  const router = useRouter()
  const queryClient = useQueryClient()
  const changeState = useStateChange()
  const deleteRoom = useDeleteRoom()
  const backUp = useBackUp()
  return (action, room) => {
    const id = room.tenantName
    const selection = { rooms: [id] }
    const page = { to: '/project/edit_project_room/$id', params: { id } } as const
    switch (action) {
      case 'visit': {
        const region = queryClient.getQueryData(regionsQuery.queryKey)?.find(({ regionId }) => regionId === room.region)
        if (region !== undefined) window.open(`${region.regionIP.replace(/\/+$/, '')}/${id}`, '_blank', 'noopener')
        return
      }
      case 'copyName':
        return void copy(id)
      case 'copyLink':
        return void copy(new URL(router.buildLocation(page).publicHref, location.href).href)
      case 'suspend':
      case 'resume':
        return void changeState(action, room)
      case 'backup':
        return backUp.mutate({ name: id, kind: 'backup' })
      case 'restore':
        return void navigate({ to: '/project/restore_project_room/$id', params: { id } })
      case 'move':
        return openStartBulk({ action, selection, count: 1, from: room.region })
      case 'notify':
        return openStartBulk({ action, selection, count: 1 })
      case 'duplicate':
        return void navigate({ to: '/project/create_project_room', search: { from: id } })
      case 'databases':
      case 'backups':
      case 'history':
        return void navigate({ ...page, search: { tab: action } })
      case 'delete':
        return void deleteRoom(room)
    }
  }
}

/** Without https browsers have no clipboard. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toastSuccess(i18next.t('app:copied'), text)
  } catch {
    toastError(i18next.t('app:notCopied'), text)
  }
}
