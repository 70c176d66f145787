import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Section.module.css'

interface SectionProps {
  title: string
  /** One calm sentence below the title. */
  hint?: ReactNode
  children: ReactNode
}

/** A titled card that groups fields in up to two columns. Give a child `data-wide` to span both. */
export function Section({ title, hint, children }: SectionProps) {
  return (
    <section className={classes.root} aria-label={title}>
      <div className={classes.head}>
        <Title order={2} size="h3">
          {title}
        </Title>
        {hint !== undefined && <p className={classes.hint}>{hint}</p>}
      </div>
      <div className={classes.fields}>{children}</div>
    </section>
  )
}
