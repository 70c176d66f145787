import { createFileRoute } from '@tanstack/react-router'
import { EditRoomPage } from '#rooms/edit/EditRoomPage.tsx'
import { type EditSearch, parseEditSearch } from '#rooms/edit/search.ts'
import { lastRoomsSearch } from '#rooms/list/last-rooms-search.ts'

export const Route = createFileRoute('/project/_signed-in/edit_project_room/$id')({
  validateSearch: (given): EditSearch => parseEditSearch(given),
  component: EditProjectRoom,
})

function EditProjectRoom() {
  const { id } = Route.useParams()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const back = () => void navigate({ to: '/project/administration', search: lastRoomsSearch() })
  return (
    <EditRoomPage
      key={id}
      name={id}
      search={search}
      onSearch={(next) => void navigate({ search: next })}
      onBack={back}
      onRestore={() => void navigate({ to: '/project/restore_project_room/$id', params: { id } })}
    />
  )
}
