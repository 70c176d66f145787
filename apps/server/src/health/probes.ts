/** Checks whether regions answer, on request and not more often than every few seconds. */
import { type Db, queryRows } from '#platform/database.ts'
import type { ConnectRegion } from '#regions/index.ts'

export interface ProbedRegion {
  region: string
  up: boolean
}

export type RegionProbe = () => Promise<ProbedRegion[]>

const regionsKeptMilliseconds = 15_000
const regionTimeoutMilliseconds = 3000

/** Checks whether each region answers: all at once when the metrics are read, at most every 15 seconds. */
export function createRegionProbe(db: Db, connectRegion: ConnectRegion): RegionProbe {
  let last: { at: number; answer: Promise<ProbedRegion[]> } | null = null
  return () => {
    if (last === null || performance.now() - last.at > regionsKeptMilliseconds) {
      const answer = probeAll(db, connectRegion)
      const probed = { at: performance.now(), answer }
      last = probed
      answer.catch(() => {
        if (last === probed) last = null
      })
    }
    return last.answer
  }
}

async function probeAll(db: Db, connectRegion: ConnectRegion): Promise<ProbedRegion[]> {
  const regions = await queryRows<{ id: number; name: string }>(db, 'select id, name from regions order by id')
  return Promise.all(regions.map(async ({ id, name }) => ({ region: name, up: await answers(connectRegion, id) })))
}

async function answers(connectRegion: ConnectRegion, id: number): Promise<boolean> {
  try {
    await (await connectRegion(id, AbortSignal.timeout(regionTimeoutMilliseconds))).status()
    return true
  } catch {
    return false
  }
}
