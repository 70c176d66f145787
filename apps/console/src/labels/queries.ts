import { apiQuery } from '#api/queries.ts'

/** The labels that project rooms have, the most frequent first. */
export const labelsQuery = apiQuery(['labels'], 'labels', {}, { background: 'refetch' })
