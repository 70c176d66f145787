import type { ReactNode } from 'react'
import classes from './Toolbar.module.css'

/** The buttons above a table. */
export function Toolbar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className={classes.root}>
      {children}
    </div>
  )
}
