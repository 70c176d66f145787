import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Panel.module.css'

interface PanelProps {
  title: string
  /** One calm sentence below the title. */
  hint?: ReactNode
  children: ReactNode
}

/** A titled card over the full width, for a table. */
export function Panel({ title, hint, children }: PanelProps) {
  return (
    <section className={classes.root} aria-label={title}>
      <Title order={2} size="h3">
        {title}
      </Title>
      {hint !== undefined && <p className={classes.hint}>{hint}</p>}
      <div className={classes.content}>{children}</div>
    </section>
  )
}
