import type { ReactNode } from 'react'
import classes from './Fact.module.css'

/** A name and its value that can only be read. Goes into a Section. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  const isEmpty = children === null || children === undefined || children === ''
  return (
    <dl className={classes.fact}>
      <dt>{name}</dt>
      <dd>{isEmpty ? '–' : children}</dd>
    </dl>
  )
}
