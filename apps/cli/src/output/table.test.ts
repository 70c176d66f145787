import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textWidth } from '#terminal/text-width.ts'
import { cellText, headerLine, layoutOf, rowLine } from './table.ts'
import type { Column } from './view.ts'

type Row = readonly string[]
const titles = ['NAME', 'STATE', 'A LONG TITLE', 'X', 'WHY']
const columns: Column<Row>[] = titles.map((title, index) => ({ title, rank: index, value: (row) => row[index] }))
const cell = fc.string({ unit: fc.constantFrom('a', 'Ø', '日', '👍', 'é', ' ', '\u001b'), maxLength: 30 })
const rows = fc.array(fc.array(cell, { minLength: titles.length, maxLength: titles.length }), { maxLength: 5 })

test('no line is wider than the terminal, and the first column is whole where there is room for it', () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 4, max: 120 }), (given, width) => {
      const layout = layoutOf(columns, given, width)
      const lines = [headerLine(layout), ...given.map((row) => rowLine(layout, row))]
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
      const names = given.map((row) => cellText(row[0]))
      const widest = Math.max(4, ...names.map(textWidth))
      if (widest <= width)
        for (const [index, name] of names.entries()) expect(lines[index + 1]).toContain(name.trimEnd())
    }),
  )
})

test('where there is room for all columns, nothing is cut', () => {
  const row = ['fleet1', 'DEFAULT', 'x', 'y', 'because of a long reason']
  const line = rowLine(layoutOf(columns, [row], 200), row)
  for (const text of row) expect(line).toContain(text)
})

test('the least important columns go first', () => {
  const row = ['fleet1', 'DEFAULT', 'something', 'y', 'because of a long reason']
  const shown = layoutOf(columns, [row], 30).columns.map(({ column }) => column.title)
  expect(shown).toEqual(['NAME', 'STATE', 'A LONG TITLE'])
})

test('columns that were asked for stay, however narrow the terminal is', () => {
  const asked = columns.map((column) => ({ ...column, rank: 0 }))
  expect(layoutOf(asked, [['fleet1', 'DEFAULT', 'something', 'y', 'why']], 10).columns).toHaveLength(titles.length)
})

test('numbers stand at the right', () => {
  const counts: Column<number>[] = [{ title: 'ROOMS', rank: 0, value: (row) => row }]
  const layout = layoutOf(counts, [5, 1000], null)
  expect([5, 1000].map((row) => rowLine(layout, row))).toEqual(['    5', ' 1000'])
})

test('a variation selector decides how wide a character is', () => {
  expect(['❤', '❤\ufe0f', '👍', '👍\ufe0e'].map(textWidth)).toEqual([1, 2, 2, 1])
})
