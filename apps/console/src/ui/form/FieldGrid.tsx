import type { ReactNode } from 'react'
import classes from './form.module.css'

/** Fields side by side where the width allows it. Give a child `data-wide` to span the whole width. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return (
    <div className={classes.grid} data-fields>
      {children}
    </div>
  )
}
