/** Numbers as the pages of benches write them. */

/** In three significant digits; whole above a thousand. */
export function formatted(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}

/** Such as `10 k` and `5 M`. */
export function shortNumber(value: number): string {
  if (value >= 1e6) return `${value / 1e6} M`
  return value >= 1e3 ? `${value / 1e3} k` : String(value)
}
