import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Wider ones wrap nowhere and leave no place for anything else. */
const most = 420

/** Measured without laying anything out: a hundred names take less than a millisecond. */
const pen = document.createElement('canvas').getContext('2d')

interface Lettering {
  font: string
  letterSpacing: string
  /** Left and right together, in pixels. */
  padding: number
}

/** Tells the styles of a table how wide its widest name is, so that its column never cuts one. */
export function useWidestName(table: RefObject<HTMLTableElement | null>, rows: readonly unknown[]): void {
  // Styles are asked for once, and told only what is new: both make the browser work through the whole table.
  const lettering = useRef<Lettering>(null)
  const told = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have other names.
  useLayoutEffect(() => {
    const names = [...(table.current?.querySelectorAll<HTMLElement>('tbody th') ?? [])]
    const [first] = names
    if (pen === null || first === undefined) return
    const isNew = lettering.current === null
    const style = lettering.current ?? letteringOf(first)
    lettering.current = style
    const measure = () => {
      pen.font = style.font
      pen.letterSpacing = style.letterSpacing
      const widest = Math.max(...names.map((name) => pen.measureText(name.textContent ?? '').width))
      const width = Math.min(most, Math.ceil(widest + style.padding + 1))
      if (width !== told.current) table.current?.style.setProperty('--rk-widest-name', `${width}px`)
      told.current = width
    }
    measure()
    // The first text of the page may be drawn before its font has come.
    if (isNew) void document.fonts.load(style.font).then(measure)
  }, [table, rows])
}

function letteringOf(name: HTMLElement): Lettering {
  const { fontWeight, fontSize, fontFamily, letterSpacing, paddingLeft, paddingRight } = getComputedStyle(name)
  // The shorthand is empty where digits all have the same width.
  const font = `${fontWeight} ${fontSize} ${fontFamily}`
  return { font, letterSpacing, padding: Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight) }
}
