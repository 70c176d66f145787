import { useQuery } from '@tanstack/react-query'
import { regionsQuery } from '#api/regions.ts'

/** @returns a region's name by its id, as far as the regions are known. */
export function useRegionNames(): (id: number) => string {
  const { data } = useQuery(regionsQuery)
  return (id) => data?.find((each) => each.regionId === id)?.regionName ?? ''
}
