import { expect, test } from 'vitest'
import { type Column, gridOf, hiddenAtFirst } from './column.ts'

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

test('in a narrow window columns give way one after another, on a phone all that are not on its card', () => {
  const cell = () => ''
  const rooms: Column<object>[] = [
    { id: 'name', title: 'Name', size: { share: 2, atLeast: 120 }, isName: true, cell },
    { id: 'company', title: 'Company', size: { share: 1, atLeast: 80 }, cell },
    { id: 'channel', title: 'Channel', size: 100, cell },
    { id: 'state', title: 'Status', size: 150, isOnCard: true, cell },
    { id: 'backup', title: 'Last backup', size: 130, isHiddenByDefault: true, cell },
    { id: 'actions', title: 'Actions', size: 100, isActions: true, cell },
  ]
  const narrower = [[], ['company'], ['channel']]
  const hidden = [2000, 710, 709, 629, 400].map((width) => hiddenAtFirst(rooms, narrower, width))
  expect(hidden).toEqual([
    ['backup'],
    ['backup'],
    ['backup', 'company'],
    ['backup', 'channel'],
    ['backup', 'company', 'channel'],
  ])
  expect(hiddenAtFirst(rooms, undefined, 400)).toEqual(['backup'])
})
