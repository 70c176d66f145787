import { createFileRoute } from '@tanstack/react-router'
import { CreateRoomPage } from '#rooms/index.ts'

export const Route = createFileRoute('/project/_signed-in/create_project_room')({
  beforeLoad: async ({ context }) => {
    const { requireAccess } = await import('#session/session.ts')
    requireAccess(context.operator, 'edit')
  },
  component: CreateRoomPage,
})
