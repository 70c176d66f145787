import { createFileRoute, redirect } from '@tanstack/react-router'
import { ImportPage } from '#rooms/import/ImportPage.tsx'

export const Route = createFileRoute('/project/_signed-in/import_project_room')({
  beforeLoad: async ({ context }) => {
    const { roleAllows } = await import('@roomkeeper/rules')
    if (!roleAllows(context.operator.role, 'edit')) throw redirect({ to: '/project/administration', replace: true })
  },
  component: ImportProjectRoom,
})

function ImportProjectRoom() {
  const navigate = Route.useNavigate()
  return (
    <ImportPage
      // The operator route leads whoever is signed in to the list.
      onBack={() => void navigate({ to: '/project/operator' })}
      onAccepted={() => void navigate({ to: '/project/administration' })}
    />
  )
}
