import type { ReactNode } from 'react'
import classes from './Toolbar.module.css'

/** The buttons and fields above a table. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className={classes.root}>{children}</div>
}
