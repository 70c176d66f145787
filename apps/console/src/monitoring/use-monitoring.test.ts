import { expect, test } from 'vitest'
import { firstSearch, queryOf, typesContaining } from './use-monitoring.ts'

// shows: monitoring-search
test('the text is sent as a name and as the process types that contain it, in any case', () => {
  expect(queryOf({ ...firstSearch, text: 'LIVE', page: 3 })).toEqual({
    page: 2,
    size: 10,
    sort_by: 'executionTime',
    order_by: 'desc',
    name_search: 'LIVE',
    type_filter: ['7', '8', '9'],
    kind_filter: [],
  })
  expect(typesContaining('update system')).toEqual(['Update system DB'])
})

test('without a text nothing is filtered', () => {
  expect(queryOf(firstSearch)).toMatchObject({ name_search: '', type_filter: [] })
})
