import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/project/create')({
  beforeLoad: () => {
    throw redirect({ to: '/project/create_project_room', replace: true })
  },
})
