import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './DeletedRooms.module.css'

interface DeletedLinkProps {
  /** The room that is searched for. */
  name: string
  /** Whether it is looked for among those that were purged. */
  isPurged?: boolean
  children: ReactNode
}

/** For toasts: leads to a room on the screen of deleted rooms. */
export function DeletedLink({ name, isPurged = false, children }: DeletedLinkProps) {
  const search = { search: name, purged: isPurged || undefined }
  return (
    <Link className={classes.link} to="/project/deleted" search={search}>
      {children}
    </Link>
  )
}
