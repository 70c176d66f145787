/** Many clients that ask at once, in turns with others. */
import { type BenchServer, type ServersCpu, startCpuMeter } from '../bench-server.ts'
import { percentile, timed } from '../measure.ts'

export const clients = 16

/** What the calls of one side came to. */
export interface Calls {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** CPU per call in milliseconds; that of PostgreSQL is null if it runs elsewhere. */
  serverCpu: number
  postgresCpu: number | null
}

/** All in milliseconds. */
interface Turn {
  times: number[]
  duration: number
  cpu: ServersCpu
}

/** Each client asks again as soon as it has the answer. */
async function runTurn(
  bench: BenchServer,
  askers: readonly (() => Promise<unknown>)[],
  seconds: number,
): Promise<Turn> {
  const times: number[] = []
  const taken = startCpuMeter(bench)
  const begun = performance.now()
  const ask = async (asker: () => Promise<unknown>) => {
    while (performance.now() - begun < seconds * 1000) times.push(await timed(asker))
  }
  await Promise.all(askers.map(ask))
  return { times, duration: performance.now() - begun, cpu: taken() }
}

/** The clients of one of the sides that are compared. */
export interface Side {
  bench: BenchServer
  askers: readonly (() => Promise<unknown>)[]
}

/**
 * Asks for each side in turns, after a turn of at most two seconds that does not count.
 * @param seconds how long each side is asked, all turns together
 */
export async function inTurns<Name extends string>(
  sides: Record<Name, Side>,
  seconds: number,
  turns: number,
): Promise<Record<Name, Calls>> {
  const names = Object.keys(sides) as Name[]
  const taken = new Map<Name, Turn[]>(names.map((name) => [name, []]))
  for (const { bench, askers } of Object.values<Side>(sides)) await runTurn(bench, askers, Math.min(2, seconds))
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, results] of taken) {
      results.push(await runTurn(sides[name].bench, sides[name].askers, seconds / turns))
    }
  }
  return Object.fromEntries([...taken].map(([name, results]) => [name, summed(results)])) as Record<Name, Calls>
}

function summed(turns: readonly Turn[]): Calls {
  const sum = (of: (turn: Turn) => number) => turns.reduce((total, turn) => total + of(turn), 0)
  const times = turns.flatMap((each) => each.times)
  const isKnown = turns.every(({ cpu }) => cpu.postgres !== null)
  return {
    perSecond: times.length / (sum(({ duration }) => duration) / 1000),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    serverCpu: sum(({ cpu }) => cpu.server) / times.length,
    postgresCpu: isKnown ? sum(({ cpu }) => cpu.postgres ?? 0) / times.length : null,
  }
}
