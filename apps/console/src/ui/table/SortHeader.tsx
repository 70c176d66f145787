import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import classes from './SortHeader.module.css'

interface SortHeaderProps {
  label: string
  /** How this column is sorted now; null when another one is. */
  dir: 'asc' | 'desc' | null
  onSort: (dir: 'asc' | 'desc') => void
}

/** A column's head that sorts by it: ascending first, then the other way round. */
export function SortHeader({ label, dir, onSort }: SortHeaderProps) {
  const Icon = dir === null ? IconArrowsSort : dir === 'asc' ? IconArrowUp : IconArrowDown
  const ariaSort = dir === null ? 'none' : dir === 'asc' ? 'ascending' : 'descending'
  return (
    <th scope="col" aria-sort={ariaSort} className={classes.head}>
      <button type="button" className={classes.button} onClick={() => onSort(dir === 'asc' ? 'desc' : 'asc')}>
        <span data-cut>{label}</span>
        <Icon size={14} stroke={2} aria-hidden />
      </button>
    </th>
  )
}
