import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { ImportPage } from '#rooms/index.ts'

export const Route = createFileRoute('/project/_signed-in/import_project_room')({
  beforeLoad: requires('edit'),
  component: ImportProjectRoom,
})

function ImportProjectRoom() {
  const navigate = Route.useNavigate()
  return (
    <ImportPage
      // The operator route redirects signed-in operators to the list.
      onBack={() => void navigate({ to: '/project/operator' })}
      onAccepted={() => void navigate({ to: '/project/administration' })}
    />
  )
}
