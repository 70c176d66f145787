/** What was measured beside what the simulation says. */
import { type Costs, measureOf } from './costs.ts'
import { simulateCalls, simulateCreations, simulateMoves } from './models.ts'

export interface CheckedPoint {
  title: string
  unit: string
  measured: number
  simulated: number
  /** Whether a cost was chosen so that this point comes out: it then says nothing about the model. */
  isFitted: boolean
}

/**
 * How far what is simulated may be from what was measured. The same row on machines of this kind differs as much from
 * one run to the next: first pages by 1,170 to 1,319 a second, creations by 44 to 59, moves by 418 to 479 a minute.
 */
export const allowedError = 0.2

const cores = 2

export function checkPoints({ call, creation, move, usual }: Costs): CheckedPoint[] {
  const calls = simulateCalls({ cores, clients: 16, costs: call })
  const near = { cores, workers: 1, ofWorker: 64, ofRegion: 16, distance: 0, costs: creation }
  const far = { cores, clients: 32, ofWorker: 4, ofRegion: 64, distance: 300, costs: creation }
  const farRates: [number, number][] = [
    [1, 4.2],
    [2, 8.3],
    [4, 15.8],
  ]
  return [
    {
      title: 'first page, 16 clients',
      unit: 'calls/s',
      measured: measureOf(usual, 'calls.rate'),
      simulated: calls.perSecond,
      isFitted: true,
    },
    {
      title: 'the same, median',
      unit: 'ms',
      measured: measureOf(usual, 'calls.p50'),
      simulated: calls.median,
      isFitted: false,
    },
    {
      title: 'one room created alone',
      unit: 'ms',
      measured: measureOf(usual, 'create.alone'),
      simulated: simulateCreations({ ...near, clients: 1 }).median,
      isFitted: true,
    },
    {
      title: 'rooms created by 32 clients',
      unit: 'rooms/s',
      measured: measureOf(usual, 'create.rate'),
      simulated: simulateCreations({ ...near, clients: 32 }).perSecond,
      isFitted: false,
    },
    ...farRates.map(([workers, measured]) => ({
      title: `rooms created on a region 300 ms away, ${workers} worker${workers > 1 ? 's' : ''}`,
      unit: 'rooms/s',
      measured,
      simulated: simulateCreations({ ...far, workers }).perSecond,
      isFitted: false,
    })),
    {
      title: 'moves of 5 MB, 4 at once',
      unit: 'rooms/min',
      // 'How to read it' in docs/scale.md.
      measured: 479,
      simulated: 60 * simulateMoves({ cores, atOnce: 4, costs: move }).perSecond,
      isFitted: true,
    },
  ]
}
