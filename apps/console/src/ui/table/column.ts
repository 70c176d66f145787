import type { ReactNode } from 'react'

/** A fixed width in pixels, or a share of the width that fixed columns leave. */
export type Size = number | { share: number; atLeast: number }

export type Direction = 'asc' | 'desc'

/** Of the row: the content that it can open below itself, whether it is selected, and which columns it shows. */
export interface RowContext {
  /** The element's id, for `aria-controls`. */
  id: string
  isOpen: boolean
  toggle: () => void
  isSelected: boolean
  columns: readonly Column<never>[]
}

export interface Column<Row extends object, Id extends string = string> {
  id: Id
  title: string
  /** Use plain elements in tables with many rows. Hooks are not allowed: a cell that needs them renders a component. */
  cell: (row: Row, details: RowContext) => ReactNode
  /** The column names the row. Other columns shrink before it is cut. */
  isName?: boolean
  /** The actions of the row. They stay in view when the table is wider than its container. */
  isActions?: boolean
  isSortable?: boolean
  /** Shown only to operators who choose it. */
  isHiddenByDefault?: boolean
  /** Whether the title is for screen readers only. */
  isTitleHidden?: boolean
  /** Shown instead of the title. */
  head?: ReactNode
  align?: 'end'
  /** Columns with sizes cut texts and show a tooltip; others wrap them. `whole` texts are neither cut nor wrapped. */
  text?: 'cut' | 'wrapped' | 'whole'
  size?: Size
  /**
   * Shown below the name on a phone, where each row is a card of name, these cells and the actions. Without any such
   * column all cells stand below the name, each with its title.
   */
  isOnCard?: boolean
}

const unsized: Size = { share: 1, atLeast: 80 }

/** A row's name, its actions and a column without a visible title cannot be hidden. */
export function isChoosable<Row extends object>({ isName, isActions, isTitleHidden }: Column<Row>): boolean {
  return !isName && !isActions && !isTitleHidden
}

/** Up to this width of the window, in pixels, each row is a card. */
const phonePixels = 560
/** What the page's margins and the scrollbar take of the window's width. */
const marginPixels = 50
/** How much wider than its column at least is names often are. */
const namePixels = 110

/**
 * The columns that are hidden unless an operator chooses them, in a window of this width.
 * @param narrower the ids to hide as the window gets narrower: the first with which the others fit, or else the last
 */
export function hiddenAtFirst<Row extends object>(
  columns: readonly Column<Row>[],
  narrower: readonly (readonly string[])[] | undefined,
  width: number,
): string[] {
  const shown = columns.filter(({ isHiddenByDefault }) => !isHiddenByDefault)
  const least = ({ size = unsized, isName }: Column<Row>) =>
    (typeof size === 'number' ? size : size.atLeast) + (isName ? namePixels : 0)
  const fits = (hidden: readonly string[]) =>
    shown.reduce((sum, each) => (hidden.includes(each.id) ? sum : sum + least(each)), marginPixels) <= width
  const hasCards = shown.some(({ isOnCard }) => isOnCard)
  const notOnCard = () => shown.filter((each) => hasCards && isChoosable(each) && !each.isOnCard).map(({ id }) => id)
  const given = width <= phonePixels ? narrower && notOnCard() : (narrower?.find(fits) ?? narrower?.at(-1))
  return [...columns.filter(({ isHiddenByDefault }) => isHiddenByDefault).map(({ id }) => id), ...(given ?? [])]
}

/** Column widths that an operator has chosen, in pixels. */
export type ChosenWidths = Readonly<Record<string, number>>

/** @returns the columns as a CSS grid, and the width below which the table scrolls. */
export function gridOf<Row extends object>(columns: readonly Column<Row>[], chosen: ChosenWidths) {
  const tracks = columns.map((column) => trackOf(column, chosen[column.id]))
  return {
    template: tracks.map(({ least, most }) => (least === most ? least : `minmax(${least}, ${most})`)).join(' '),
    minWidth: `calc(${tracks.map(({ least }) => least).join(' + ')})`,
  }
}

/** A name gets its widest text's width in any case: other columns, or the table, give way. */
function trackOf<Row extends object>({ isName, size = unsized }: Column<Row>, chosen: number | undefined) {
  const least = (width: number) => (isName ? `max(${width}px, var(--rk-widest-name, 0px))` : `${width}px`)
  const fixed = chosen ?? (typeof size === 'number' ? size : null)
  if (fixed !== null) return { least: least(fixed), most: least(fixed) }
  const { share, atLeast } = size as Exclude<Size, number>
  return { least: least(atLeast), most: `${share}fr` }
}
