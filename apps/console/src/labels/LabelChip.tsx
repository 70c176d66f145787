import { colourOfLabel } from '@roomkeeper/rules'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import classes from './labels.module.css'

interface LabelChipProps {
  label: string
  /** The label with its matches marked. */
  children?: ReactNode
}

/** A plain element, because there are up to a hundred rows. */
export function LabelChip({ label, children = label }: LabelChipProps) {
  return (
    <span className={classes.chip} data-colour={colourOfLabel(label)}>
      {children}
    </span>
  )
}

interface LabelLinksProps {
  labels: readonly string[]
  /** On further lines, rather than cut, where there is no room. */
  wraps?: boolean
}

/** The labels of a room. The spaces are for the tooltip of a cell, which shows the text of what is cut. */
export function LabelLinks({ labels, wraps = false }: LabelLinksProps) {
  return (
    <span className={wraps ? 'rk-row' : `rk-line ${classes.links}`}>
      {labels.map((label) => (
        <Fragment key={label}>
          <LabelLink label={label} />{' '}
        </Fragment>
      ))}
    </span>
  )
}

/** Leads to the project rooms that have the label. */
export function LabelLink({ label }: { label: string }) {
  return (
    <Link
      className={classes.chip}
      data-colour={colourOfLabel(label)}
      to="/project/administration"
      search={{ labels: label }}
      preload={false}
    >
      {label}
    </Link>
  )
}
