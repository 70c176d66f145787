import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { lastRoomsSearch, RestorePage } from '#rooms/index.ts'

export const Route = createFileRoute('/project/_signed-in/restore_project_room/$id')({
  beforeLoad: requires('admin'),
  component: RestoreProjectRoom,
})

function RestoreProjectRoom() {
  const { id } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <RestorePage
      name={id}
      onBack={() => void navigate({ to: '/project/edit_project_room/$id', params: { id } })}
      onList={() => void navigate({ to: '/project/administration', search: lastRoomsSearch() })}
    />
  )
}
