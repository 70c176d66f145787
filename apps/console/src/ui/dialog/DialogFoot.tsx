import type { ReactNode } from 'react'
import classes from './DialogFoot.module.css'

/** The buttons of a dialog, always in view however long it is. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className={classes.root}>{children}</div>
}
