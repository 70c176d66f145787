import { expect } from 'vitest'
import type { RegionProcess } from './region-process.ts'

/** Replaces the faults of a region. */
export async function setFaults(region: RegionProcess, rules: unknown[]): Promise<void> {
  const answer = await fetch(`${region.url}/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rules),
  })
  expect(answer.status).toBe(204)
}

/** The faults that have not been used up. */
export async function faultsLeft(region: RegionProcess): Promise<unknown[]> {
  return (await (await fetch(`${region.url}/faults`)).json()) as unknown[]
}
