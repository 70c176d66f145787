import classes from './ThinProgress.module.css'

interface ThinProgressProps {
  /** From 0 to 1. */
  value: number
  /** What is progressing, for screen readers. */
  label: string
}

/** A thin progress bar of plain elements, because a list shows many. */
export function ThinProgress({ value, label }: ThinProgressProps) {
  const percent = Math.round(value * 100)
  return (
    <div
      className={classes.track}
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div className={classes.bar} style={{ width: `${percent}%` }} />
    </div>
  )
}
