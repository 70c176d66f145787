import { Link } from '@tanstack/react-router'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { type Titled, useWholeTitles } from './operation-titles.ts'

interface WholeTitleProps {
  operation: Titled & { operationId: string; projectRoomName: string }
}

/** For the panel. The title of a bulk leads to its screen. */
export function WholeTitle({ operation }: WholeTitleProps) {
  const title = useWholeTitles()(operation)
  const close = useCloseDialog()
  if (operation.kind !== 'bulk.run') return <strong>{title}</strong>
  return (
    <Link to="/project/bulk/$id" params={{ id: operation.operationId }} onClick={close}>
      {title}
    </Link>
  )
}
