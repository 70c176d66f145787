import { type LiveMigration, ProblemError } from '@roomkeeper/contract'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { client, inBackground } from '#api/client.ts'
import { useLiveEvents, usePollInterval } from '#api/events.ts'
import { fetchInto, useFollowUp } from '#api/follow-up.ts'
import { apiQuery, liveMigrationsQuery, useRegionName } from '#api/queries.ts'
import { textOfReason } from '#locales/error-texts.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { migrationSelectionOf, type PickedRooms } from './picked-rooms.ts'

export const pickerSize = 8

/** The progress of a configuration's newest run; null before the first. Refetched when one of its rooms moves on. */
export function progressQuery(id: number) {
  return apiQuery(
    ['live-migrations', 'progress', id],
    'liveMigrationProgress',
    { params: { id } },
    { background: 'refetch' },
  )
}

/** The outcome for each room of a configuration, newest first. */
export function statesQuery(id: number) {
  return apiQuery(['live-migrations', 'states', id], 'migrationStates', { body: { id } }, { background: 'refetch' })
}

/** The log and the error of one state entry. */
export function stateLogsQuery(stateId: number) {
  return apiQuery(['live-migrations', 'logs', stateId], 'migrationStateLogs', { query: { stateId } })
}

/** A page of the rooms that can be migrated. @param page from 1 */
export function migrationRoomsQuery(id: number, search: string, page: number) {
  const input = { query: { page: page - 1, size: pickerSize }, body: { liveMigrationData: { id }, search } }
  return {
    ...apiQuery(['live-migrations', 'rooms', id, search, page], 'migrationRooms', input),
    placeholderData: keepPreviousData,
  }
}

/** While nothing can be moved, it is asked again this often. */
const blockedMilliseconds = 5000

/** What would happen to the picked rooms if the migration started now. @param page from 1 */
export function preflightQuery(id: number, picked: PickedRooms, skippActiveSessions: boolean, page: number) {
  const body = { liveMigrationData: { id }, ...migrationSelectionOf(picked), skippActiveSessions }
  const query = { page: page - 1, size: pickerSize }
  return queryOptions({
    ...apiQuery(
      ['live-migrations', 'preflight', body, page],
      'preflightLiveMigration',
      { query, body },
      { background: 'refetch' },
    ),
    // Obstacles may disappear at any moment.
    refetchInterval: ({ state }) => (state.data?.whyNotStart ? blockedMilliseconds : false),
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
}

const refetchMilliseconds = 500

/**
 * Loads the configurations and keeps them and their runs up to date. It refetches changed configurations one by one:
 * fetching the list would clear warnings, which only the operator should do.
 */
export function useLiveMigrations(): { isPending: boolean } {
  const { data = [], isPending } = useQuery({ ...liveMigrationsQuery, refetchOnMount: 'always' })
  const fetchOne = useFetchOne()
  const note = useFollowUp(async (ids: ReadonlySet<number>) => {
    for (const id of ids) await fetchOne(id)
    return refetchMilliseconds
  })
  const noteAll = useEffectEvent(() => {
    for (const { id } of data) note(id)
  })
  useLiveEvents((event) => {
    if (event.type === 'migration') note(event.id)
    if (event.type === 'reset') noteAll()
  })
  const pollInterval = usePollInterval()
  useEffect(() => {
    if (pollInterval === false) return
    const timer = setInterval(() => noteAll(), pollInterval)
    return () => clearInterval(timer)
  }, [pollInterval])
  return { isPending }
}

function useFetchOne(): (id: number) => Promise<void> {
  const queryClient = useQueryClient()
  const { queryKey } = liveMigrationsQuery
  return async (id) => {
    await Promise.all([
      fetchInto<LiveMigration[], LiveMigration | null>(
        queryClient,
        queryKey,
        () => findOne(id),
        (list, found) => list && withOne(list, id, found),
      ),
      ...['progress', 'states'].map((what) =>
        queryClient.invalidateQueries({ queryKey: ['live-migrations', what, id] }, { throwOnError: true }),
      ),
    ])
  }
}

/** Ids are never given again. */
const deleted = new Set<number>()

/** Nothing asks for a configuration any more that is being deleted here. */
export async function deleteMigration(id: number): Promise<void> {
  deleted.add(id)
  await client.call('deleteLiveMigration', { body: { id } }).catch((error: unknown) => {
    deleted.delete(id)
    throw error
  })
}

/** Null if the configuration was deleted. */
async function findOne(id: number): Promise<LiveMigration | null> {
  if (deleted.has(id)) return null
  try {
    return (await client.call('liveMigration', { params: { id }, headers: inBackground })).body
  } catch (error) {
    if (!(error instanceof ProblemError && error.problem.status === 404)) throw error
    deleted.add(id)
    return null
  }
}

function withOne(list: LiveMigration[], id: number, found: LiveMigration | null): LiveMigration[] {
  const others = list.filter((each) => each.id !== id)
  return found === null ? others : [...others, found].sort((a, b) => a.id - b.id)
}

/** For a dialog about a configuration. Closes the dialog once it is deleted. @returns its current state */
export function useShownMigration(opened: LiveMigration): LiveMigration {
  const close = useCloseDialog()
  const { data } = useQuery(liveMigrationsQuery)
  const found = data?.find((each) => each.id === opened.id)
  const isGone = data !== undefined && found === undefined
  useEffect(() => {
    if (isGone) close()
  }, [isGone, close])
  return found ?? opened
}

/** @returns a hook for a question: why none of the picked rooms would be moved now; null also while that is unknown */
export function whyNotStart(id: number, picked: PickedRooms, skippActiveSessions: boolean): () => string | null {
  return function useWhyNot() {
    const { data } = useQuery(preflightQuery(id, picked, skippActiveSessions, 1))
    const reason = data?.whyNotStart ?? null
    if (reason === null) return null
    // The texts of reasons are loaded on demand; until then, the obstacle tells its own.
    return textOfReason(reason) ?? data?.obstacles.find((each) => each.reason.code === reason.code)?.text ?? reason.code
  }
}

/** @returns a function that names a configuration, such as `region-1 → region-2` */
export function useMigrationName(): (migration: LiveMigration) => string {
  const { t } = useTranslation('migrations')
  const nameOf = useRegionName()
  return ({ sourceRegion, targetRegion }) => t('name', { source: nameOf(sourceRegion), target: nameOf(targetRegion) })
}
