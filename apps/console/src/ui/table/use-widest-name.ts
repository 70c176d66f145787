import { type RefObject, useLayoutEffect } from 'react'

/** Wider ones wrap nowhere and leave no place for anything else. */
const most = 420

/** Measured without laying anything out: a hundred names take less than a millisecond. */
const pen = document.createElement('canvas').getContext('2d')

/** Tells the styles of a table how wide its widest name is, so that its column never cuts one. */
export function useWidestName(table: RefObject<HTMLTableElement | null>, rows: readonly unknown[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have other names.
  useLayoutEffect(() => {
    const measure = () => {
      const width = widestOf(table.current)
      if (width > 0) table.current?.style.setProperty('--rk-widest-name', `${width}px`)
    }
    measure()
    // The first text of the page may be drawn before its font has come.
    if (pen !== null) void document.fonts.load(pen.font).then(measure)
  }, [table, rows])
}

function widestOf(table: HTMLTableElement | null): number {
  const names = [...(table?.querySelectorAll<HTMLElement>('tbody th') ?? [])]
  const [first] = names
  if (pen === null || first === undefined) return 0
  const { fontWeight, fontSize, fontFamily, letterSpacing, paddingLeft, paddingRight } = getComputedStyle(first)
  // The shorthand is empty where digits all have the same width.
  pen.font = `${fontWeight} ${fontSize} ${fontFamily}`
  pen.letterSpacing = letterSpacing
  const widths = names.map((name) => pen.measureText(name.textContent ?? '').width)
  return Math.min(
    most,
    Math.ceil(Math.max(...widths) + Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight) + 1),
  )
}
