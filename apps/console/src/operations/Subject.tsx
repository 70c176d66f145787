import { roomName } from '@roomkeeper/contract'
import { Link } from '@tanstack/react-router'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { useSubjects } from './process-names.ts'

/** For the panel: what an operation works on; a room is a link. Operations on many rooms store another text. */
export function Subject({ stored }: { stored: string }) {
  const nameOf = useSubjects()
  const close = useCloseDialog()
  if (!roomName.safeParse(stored).success) return <span>{nameOf(stored)}</span>
  return (
    <Link to="/project/edit_project_room/$id" params={{ id: stored }} onClick={close}>
      {stored}
    </Link>
  )
}
