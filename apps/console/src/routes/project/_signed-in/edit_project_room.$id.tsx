import { createFileRoute } from '@tanstack/react-router'
import { ofPage } from '#app/cloud-tabs.ts'
import { RoomHistory } from '#audit/index.ts'
import { EditRoomPage, type EditSearch, lastRoomsSearch, parseEditSearch } from '#rooms/index.ts'

export const Route = createFileRoute('/project/_signed-in/edit_project_room/$id')({
  validateSearch: (given): EditSearch => parseEditSearch(given),
  component: EditProjectRoom,
})

function EditProjectRoom() {
  const { id } = Route.useParams()
  const search = Route.useSearch({ select: ofPage<EditSearch>, structuralSharing: true })
  const navigate = Route.useNavigate()
  const back = () => void navigate({ to: '/project/administration', search: lastRoomsSearch() })
  return (
    <EditRoomPage
      key={id}
      name={id}
      history={RoomHistory}
      search={search}
      onSearch={(next) => void navigate({ search: next })}
      onBack={back}
      onRestore={() => void navigate({ to: '/project/restore_project_room/$id', params: { id } })}
    />
  )
}
