import { Link } from '@tanstack/react-router'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { isRoom } from './operation-titles.ts'

/** For the panel: the room that an operation works on, as a link. Other subjects are part of the title. */
export function Subject({ stored }: { stored: string }) {
  const close = useCloseDialog()
  if (!isRoom(stored)) return null
  return (
    <Link to="/project/edit_project_room/$id" params={{ id: stored }} onClick={close}>
      {stored}
    </Link>
  )
}
