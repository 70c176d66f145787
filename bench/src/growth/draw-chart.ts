/** A chart with two logarithmic axes as SVG, legible on light and dark: lines with their names at their ends. */
import { formatted, shortNumber } from '../written-numbers.ts'

export interface ChartSeries {
  name: string
  /** Positive numbers, from the smallest x on. */
  points: readonly (readonly [x: number, y: number])[]
}

export interface Chart {
  title: string
  /** What the axes show, such as `rooms`. */
  x: string
  y: string
  series: readonly ChartSeries[]
  /** How a value of y is written; default: plain. */
  formatY?: (value: number) => string
}

const width = 980
const height = 470
const plot = { left: 92, right: 600, top: 74, bottom: 414 }
const labelHeight = 19

/** Hues that differ in lightness too, for eyes that confuse some of them: on light, on dark. */
const colours = [
  ['#1f5fbf', '#7eb0ff'],
  ['#b3470a', '#ff9d5c'],
  ['#147a4b', '#5fd29a'],
  ['#8a2fa8', '#d795f0'],
  ['#8a6a00', '#e3c04b'],
  ['#b3204f', '#ff86a6'],
  ['#1a7482', '#67cfdf'],
  ['#5b5f66', '#b3b8c0'],
] as const

/** @throws Error when there is nothing to draw, or more lines than colours */
export function drawChart({ title, x, y, series, formatY = formatted }: Chart): string {
  const all = series.flatMap(({ points }) => points)
  if (all.length === 0 || series.length > colours.length) throw new Error(`${title}: ${series.length} lines.`)
  if (all.some((point) => !point.every((value) => value > 0))) throw new Error(`${title}: not above zero.`)
  const spanX = spanOf(all.map(([value]) => value))
  const [low, high] = spanOf(all.map(([, value]) => value))
  const spanY: Span = [decadeBelow(low), decadeAbove(high)]
  const atX = scale(spanX, [plot.left + 16, plot.right - 16])
  const atY = scale(spanY, [plot.bottom, plot.top])
  const ends = series.map(({ points }) => atY(points.at(-1)?.[1] ?? low))
  const labels = spread(ends)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${styles(series.length)}</style>`,
    `<rect class="ground" width="${width}" height="${height}" rx="8"/>`,
    text('title', 24, 34, title),
    text('axis', plot.left, plot.top - 16, y),
    ...decades(spanY).flatMap((value) => [
      `<path class="grid" d="M${plot.left} ${at(atY(value))}H${plot.right}"/>`,
      text('tick', plot.left - 10, atY(value) + 4, formatY(value), 'end'),
    ]),
    ...[...new Set(all.map(([value]) => value))].flatMap((value) => [
      `<path class="grid" d="M${at(atX(value))} ${plot.top}V${plot.bottom}"/>`,
      text('tick', atX(value), plot.bottom + 22, shortNumber(value), 'middle'),
    ]),
    text('axis', (plot.left + plot.right) / 2, plot.bottom + 44, x, 'middle'),
    ...series.flatMap(({ name, points }, index) => {
      const places = points.map(([px, py]) => ({ x: atX(px), y: atY(py) }))
      const [end, label] = [ends[index] ?? 0, labels[index] ?? 0]
      const last = points.at(-1)?.[1] ?? 0
      return [
        `<path class="line c${index}" d="M${places.map((place) => `${at(place.x)} ${at(place.y)}`).join('L')}"/>`,
        ...places.map((place) => `<circle class="dot c${index}" cx="${at(place.x)}" cy="${at(place.y)}" r="3.5"/>`),
        `<path class="lead c${index}" d="M${plot.right - 10} ${at(end)}L${plot.right + 12} ${at(label)}"/>`,
        text(`label c${index}`, plot.right + 18, label + 4.5, `${name} · ${formatY(last)}`),
      ]
    }),
    '</svg>\n',
  ].join('\n')
}

type Span = readonly [low: number, high: number]

function spanOf(values: readonly number[]): Span {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return low === high ? [low / 2, high * 2] : [low, high]
}

const decadeBelow = (value: number) => 10 ** Math.floor(Math.log10(value))
const decadeAbove = (value: number) => 10 ** Math.ceil(Math.log10(value * 1.0001))

function decades([low, high]: Span): number[] {
  const [first, last] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))]
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index))
}

/** Logarithmic. */
function scale([low, high]: Span, [from, to]: Span): (value: number) => number {
  return (value) => from + ((Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))) * (to - from)
}

/** Moves labels apart as little as their order allows, within the plot. */
function spread(wanted: readonly number[]): number[] {
  const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const places = wanted.slice()
  let lowest = plot.top - labelHeight
  for (const index of order) {
    lowest = Math.max(places[index] ?? 0, lowest + labelHeight)
    places[index] = lowest
  }
  let highest = plot.bottom + labelHeight
  for (const index of order.toReversed()) {
    highest = Math.min(places[index] ?? 0, highest - labelHeight)
    places[index] = highest
  }
  return places
}

function styles(count: number): string {
  const used = colours.slice(0, count)
  const hues = (side: 0 | 1) =>
    used
      .map(
        (pair, index) =>
          `.line.c${index},.lead.c${index},.dot.c${index}{stroke:${pair[side]}}text.c${index},.dot.c${index}{fill:${pair[side]}}`,
      )
      .join('')
  return [
    'text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-size:17px;font-weight:600}',
    '.tick,.axis{fill:#57606a}.label{font-weight:500}.ground{fill:#fff;stroke:#d0d7de}',
    '.grid{stroke:#e3e7eb;fill:none}.line{fill:none;stroke-width:2.2;stroke-linejoin:round}.lead{fill:none;opacity:.6}',
    hues(0),
    '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.tick,.axis{fill:#9ba5b0}.ground{fill:#0d1117;stroke:#30363d}',
    `.grid{stroke:#262c34}${hues(1)}}`,
  ].join('')
}

function text(name: string, x: number, y: number, content: string, anchor = 'start'): string {
  return `<text class="${name}" x="${at(x)}" y="${at(y)}" text-anchor="${anchor}">${escaped(content)}</text>`
}

const at = (place: number) => String(Math.round(place * 10) / 10)

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
