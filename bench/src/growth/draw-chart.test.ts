import { expect, test } from 'vitest'
import { type ChartSeries, drawChart } from './draw-chart.ts'

const sizes = [10_000, 100_000, 1_000_000]

function draw(series: ChartSeries[]): string {
  return drawChart({ title: 'Lists & <totals>', x: 'rooms', y: 'ms', series })
}

test('what grows tenfold with every ten times as many rooms is a straight line', () => {
  const svg = draw([{ name: 'total', points: sizes.map((size) => [size, size / 1000]) }])
  const [, path = ''] = /class="line c0" d="M([^"]+)"/.exec(svg) ?? []
  const places = path.split('L').map((place) => place.split(' ').map(Number))
  const steps = places.slice(1).map(([x = 0, y = 0], index) => {
    const [formerX = 0, formerY = 0] = places[index] ?? []
    return [Math.round(x - formerX), Math.round(y - formerY)]
  })
  expect(steps[0]).toEqual(steps[1])
  expect(steps[0]?.[0]).toBeGreaterThan(0)
  expect(steps[0]?.[1]).toBeLessThan(0)
})

test('lines that end at the same place have names that do not cover each other', () => {
  const names = ['first', 'second', 'third', 'fourth']
  const svg = draw(names.map((name) => ({ name, points: sizes.map((size) => [size, 3]) })))
  const places = [...svg.matchAll(/<text class="label c\d" x="[\d.]+" y="([\d.]+)"/g)].map(([, y]) => Number(y))
  expect(places).toHaveLength(4)
  const sorted = places.toSorted((a, b) => a - b)
  for (const [index, y] of sorted.entries())
    if (index > 0) expect(y - (sorted[index - 1] ?? 0)).toBeGreaterThanOrEqual(18)
})

test('sizes and decades stand at the axes, names are escaped, and there are colours for light and dark', () => {
  const svg = draw([{ name: 'a < b', points: sizes.map((size) => [size, size / 20_000]) }])
  for (const tick of ['10 k', '100 k', '1 M', '0.1', '1', '10', '100']) expect(svg).toContain(`>${tick}</text>`)
  expect(svg).toContain('>Lists &amp; &lt;totals></text>')
  expect(svg).toContain('>a &lt; b · 50</text>')
  expect(svg).toContain('prefers-color-scheme:dark')
})

test('what has no place on logarithmic axes is refused', () => {
  expect(() => draw([{ name: 'nothing', points: [[10, 0]] }])).toThrow('not above zero')
  expect(() => draw([])).toThrow('0 lines')
})
