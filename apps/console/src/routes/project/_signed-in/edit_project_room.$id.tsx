import { createFileRoute } from '@tanstack/react-router'
import { RoomHistory } from '#audit/RoomHistory.tsx'
import { EditRoomPage } from '#rooms/edit/EditRoomPage.tsx'
import { parseEditSearch } from '#rooms/edit/search.ts'

export const Route = createFileRoute('/project/_signed-in/edit_project_room/$id')({
  validateSearch: parseEditSearch,
  component: () => <EditRoomPage history={RoomHistory} />,
})
