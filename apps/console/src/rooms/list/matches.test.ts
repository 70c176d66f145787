import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import { roomOf } from '#testing/answers.ts'
import { pageQueryOf, roomQueryOf } from './list-request.ts'
import { matchesOf } from './matches.tsx'
import type { RoomColumn, RoomsSearch } from './search.ts'

const of = (search: RoomsSearch) => matchesOf(pageQueryOf(search, 20, roomQueryOf(search)))

/** A cell as text, with its marks in brackets. */
function shown(search: RoomsSearch, column: RoomColumn, text: string): string {
  const parts = [of(search)?.mark(column, text) ?? text].flat() as (string | ReactElement<{ children: string }>)[]
  return parts.map((part) => (typeof part === 'string' ? part : `[${part.props.children}]`)).join('')
}

test('every word is marked in the searched columns as it is written there, and nothing if nothing is searched', () => {
  expect(shown({ q: ' stahl KRÜ' }, 'companyName', 'Krüger Stahl')).toBe('[Krü]ger [Stahl]')
  expect(shown({ q: 'a.b (c' }, 'companyName', 'axb a.b (c)')).toBe('axb [a.b] [(c])')
  expect(shown({ q: 'olga owner', in: 'customer' }, 'customerContact', 'Olga Owner')).toBe('[Olga] [Owner]')
  expect(shown({ q: 'olga', in: 'customer' }, 'companyName', 'Olga AG')).toBe('Olga AG')
  expect(shown({ q: 'direct' }, 'productType', 'Direct Sales')).toBe('Direct Sales')
  expect(of({ q: ' ' })).toBeNull()
})

test('a hidden column is named only for a word that no shown column holds', () => {
  const room = roomOf({ tenantName: 'acme1', companyName: 'Acme Stahl', sapNumber: '4711' })
  const hiddenIn = (q: string, ...hidden: RoomColumn[]) =>
    of({ q })?.hiddenIn(room, (column) => !hidden.includes(column))
  expect(hiddenIn('acme', 'companyName')).toEqual([])
  expect(hiddenIn('acme stahl', 'companyName')).toEqual(['companyName'])
  expect(hiddenIn('stahl 4711', 'companyName', 'sapNumber')).toEqual(['companyName', 'sapNumber'])
  expect(hiddenIn('stahl', 'sapNumber')).toEqual([])
})
