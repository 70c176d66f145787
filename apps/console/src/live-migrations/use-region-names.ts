import type { LiveMigration } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'

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
