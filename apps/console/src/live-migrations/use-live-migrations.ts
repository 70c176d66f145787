import { useThrottledCallback } from '@mantine/hooks'
import { type LiveMigration, ProblemError } from '@roomkeeper/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { client, inBackground } from '#api/client.ts'
import { useLiveEvents, usePollInterval } from '#api/events.ts'
import { liveMigrationsQuery, regionsQuery } from '#api/queries.ts'
import { useCloseDialog } from '#ui/dialog/dialog-context.ts'

const refetchMilliseconds = 500

/**
 * Loads the configurations and keeps them, and all that is shown of their runs, as they are on the server. What changed
 * is asked for one by one: asking for the list would clear warnings, which is for the operator to do.
 */
export function useLiveMigrations(): void {
  const { data = [] } = useQuery({ ...liveMigrationsQuery, refetchOnMount: 'always' })
  const fetchOne = useFetchOne()
  const changed = useRef(new Set<number>())
  const fetchChanged = useThrottledCallback(() => {
    const ids = [...changed.current]
    changed.current.clear()
    for (const id of ids) fetchOne(id)
  }, refetchMilliseconds)
  const note = (ids: readonly number[]) => {
    for (const id of ids) changed.current.add(id)
    fetchChanged()
  }
  const noteAll = useEffectEvent(() => note(data.map(({ id }) => id)))
  useLiveEvents((event) => {
    if (event.type === 'migration') note([event.id])
    if (event.type === 'reset') noteAll()
  })
  const pollInterval = usePollInterval()
  useEffect(() => {
    if (pollInterval === false) return
    const timer = setInterval(() => noteAll(), pollInterval)
    return () => clearInterval(timer)
  }, [pollInterval])
}

function useFetchOne(): (id: number) => void {
  const queryClient = useQueryClient()
  return (id) => {
    void findOne(id).then((found) =>
      queryClient.setQueryData(liveMigrationsQuery.queryKey, (list) => list && withOne(list, id, found)),
    )
    for (const what of ['progress', 'states'] as const)
      void queryClient.invalidateQueries({ queryKey: ['live-migrations', what, id] })
  }
}

/** null when it is gone, undefined when that is unknown: then the next event or poll asks again. */
async function findOne(id: number): Promise<LiveMigration | null | undefined> {
  try {
    return (await client.call('liveMigration', { params: { id }, headers: inBackground })).body
  } catch (error) {
    return error instanceof ProblemError && error.problem.status === 404 ? null : undefined
  }
}

function withOne(list: LiveMigration[], id: number, found: LiveMigration | null | undefined): LiveMigration[] {
  if (found === undefined) return list
  const others = list.filter((each) => each.id !== id)
  return found === null ? others : [...others, found].sort((a, b) => a.id - b.id)
}

/** For a dialog about a configuration. @returns it as it is now; once it is gone, the dialog closes */
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

/** @returns a region's name by its id, as far as the regions are known. */
export function useRegionNames(): (id: number) => string {
  const { data } = useQuery(regionsQuery)
  return (id) => data?.find((each) => each.regionId === id)?.regionName ?? ''
}

/** @returns the name of a configuration: `region-1 → region-2` */
export function useMigrationName(): (migration: LiveMigration) => string {
  const { t } = useTranslation('migrations')
  const nameOf = useRegionNames()
  return ({ sourceRegion, targetRegion }) => t('name', { source: nameOf(sourceRegion), target: nameOf(targetRegion) })
}
