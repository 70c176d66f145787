import { apiQuery } from '#api/queries.ts'

export function roomNotesQuery(name: string) {
  return apiQuery(['rooms', 'notes', name], 'roomNotes', { query: { projectRoom: name } }, { background: 'refetch' })
}
