// @vitest-environment jsdom
/** The checkboxes of a table: one row, a range with Shift, the whole page, and rows that cannot be selected. */

import { render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { user } from '#testing/console.tsx'
import { noneSelected, type Selected, withRows } from './selected-rows.ts'
import { Table } from './Table.tsx'

const rows = ['a', 'b', 'c', 'd'].map((name) => ({ name }))

function Example({ locked }: { locked?: string }) {
  const [selected, setSelected] = useState<Selected>(noneSelected)
  return (
    <Table
      rows={rows}
      rowId={({ name }) => name}
      columns={[{ id: 'name', title: 'Name', isName: true, cell: ({ name }) => name }]}
      selection={{
        selected,
        onSelect: (ids, isOn) => setSelected((before) => withRows(before, ids, isOn)),
        title: 'Select',
        labelOf: ({ name }) => `Select ${name}`,
        whyNot: ({ name }) => (name === locked ? 'Locked' : null),
        pageLabel: 'Select all',
      }}
    />
  )
}

const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` })
const checked = () => ['a', 'b', 'c', 'd'].filter((name) => box(name).checked).join('')

test('with Shift, a click selects all rows since the last one', async () => {
  render(<Example />)
  await user.click(box('d'))
  await user.keyboard('{Shift>}')
  await user.click(box('b'))
  await user.keyboard('{/Shift}')
  expect(checked()).toBe('bcd')
  await user.click(box('c'))
  expect(checked()).toBe('bd')
})

test('a page is selected whole, and given up whole when it was', async () => {
  render(<Example />)
  await user.click(box('b'))
  expect(box('all').indeterminate).toBe(true)
  await user.click(box('all'))
  expect(checked()).toBe('abcd')
  expect(box('all').checked).toBe(true)
  await user.click(box('all'))
  expect(checked()).toBe('')
})

test('a row that cannot be selected says why, and is left out of pages and ranges', async () => {
  render(<Example locked="b" />)
  expect(box('b')).toBeDisabled()
  expect(box('b').title).toBe('Locked')
  await user.click(box('all'))
  expect(checked()).toBe('acd')
  await user.click(box('all'))
  expect(checked()).toBe('')
})
