import { createFileRoute, redirect } from '@tanstack/react-router'
import { CreateRoomPage } from '#rooms/create/CreateRoomPage.tsx'

export const Route = createFileRoute('/project/_signed-in/create_project_room')({
  beforeLoad: async ({ context }) => {
    const { roleAllows } = await import('@roomkeeper/rules')
    if (!roleAllows(context.operator.role, 'edit')) throw redirect({ to: '/project/administration', replace: true })
  },
  component: CreateRoomPage,
})
