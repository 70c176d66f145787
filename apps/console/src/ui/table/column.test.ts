import { expect, test } from 'vitest'
import { type Column, gridOf } from './column.ts'

const columns: Column<{ name: string }>[] = [
  { id: 'kind', title: 'Kind', size: 100, cell: () => '' },
  { id: 'name', title: 'Name', size: { share: 2, atLeast: 120 }, isName: true, cell: ({ name }) => name },
  { id: 'note', title: 'Note', size: { share: 1, atLeast: 80 }, cell: () => '' },
]

test('shares divide what fixed widths leave, and a name is never narrower than the widest of its column', () => {
  expect(gridOf(columns, {})).toEqual({
    template: '100px minmax(max(120px, var(--rk-widest-name, 0px)), 2fr) minmax(80px, 1fr)',
    minWidth: 'calc(100px + max(120px, var(--rk-widest-name, 0px)) + 80px)',
  })
})

test('a width that was chosen takes the place of its share; a name stays as wide as the widest of its column', () => {
  const { template, minWidth } = gridOf(columns, { name: 90, note: 200 })
  expect(template).toBe('100px max(90px, var(--rk-widest-name, 0px)) 200px')
  expect(minWidth).toBe('calc(100px + max(90px, var(--rk-widest-name, 0px)) + 200px)')
})
