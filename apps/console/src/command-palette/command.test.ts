import { IconDoor } from '@tabler/icons-react'
import { expect, test } from 'vitest'
import { type Command, matchesQuery, requestedActionOf, sortCommands } from './command.ts'

const words = { suspend: 'Suspend', 'back-up': 'Back up' }
const statistics: Command = {
  id: 'screen:statistics',
  group: 'screens',
  label: 'Statistics',
  icon: IconDoor,
  run: () => undefined,
}

test('a query that begins with a verb asks for that, the rest looks for rooms', () => {
  expect(requestedActionOf('suspend acme', words)).toEqual({ verb: 'suspend', text: 'acme' })
  expect(requestedActionOf('  Back up  acme gmbh ', words)).toEqual({ verb: 'back-up', text: 'acme gmbh' })
  expect(requestedActionOf('suspend ', words)).toEqual({ verb: 'suspend', text: '' })
})

test('a room whose name begins like a verb is just looked for', () => {
  expect(requestedActionOf('suspended', words)).toEqual({ verb: null, text: 'suspended' })
  expect(requestedActionOf('suspend', words)).toEqual({ verb: null, text: 'suspend' })
})

test('words may come in any order, by their beginnings', () => {
  const command = { ...statistics, label: 'Import project room' }
  expect(matchesQuery(command, 'room imp')).toBe(true)
  expect(matchesQuery(command, 'port')).toBe(false)
  expect(matchesQuery(command, 'room acme')).toBe(false)
  expect(matchesQuery({ ...command, keywords: 'Suspend' }, 'room')).toBe(false)
})

test('what was used recently comes first and only once', () => {
  const other = { ...statistics, id: 'screen:other' }
  const ordered = sortCommands([statistics, other, { ...other, group: 'recent' }])
  expect(ordered.map(({ id, group }) => `${group} ${id}`)).toEqual(['recent screen:other', 'screens screen:statistics'])
})
