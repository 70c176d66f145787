import type { ComponentProps } from 'react'
import classes from '../Table.module.css'
import { Pager } from './Pager.tsx'

/** The pager below a table in a dialog. */
export function DialogPager(props: ComponentProps<typeof Pager>) {
  return (
    <div className={classes.foot}>
      <Pager {...props} />
    </div>
  )
}
