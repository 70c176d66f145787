/** The clock of a machine on which everything runs. It can jump, and the clock of a single process can differ from it. */
import { type SettableClock, settableClock } from '@roomkeeper/dev-env'

const days = [
  ['a day', 1],
  ['a month', 30],
  ['a year', 365],
] as const
/** How far a clock goes wrong. */
export const clockErrors = days.flatMap(([title, count]) => [
  { title: `${title} ahead`, seconds: count * 86_400 },
  { title: `${title} behind`, seconds: -count * 86_400 },
])

export interface Clocks {
  /** False without libfaketime: then every clock is right. */
  canBeSet: boolean
  /** The environment of a process that goes by this clock. */
  env(name: string): Record<string, string>
  /** @param seconds how far this clock is ahead of that of the machine; negative: behind */
  skew(name: string, seconds: number): Promise<void>
  /** @param seconds how far the clock of the machine is ahead of ours from now on, and with it all others */
  jump(seconds: number): Promise<void>
  remove(): Promise<void>
}

/** @param skews by how many seconds each clock is ahead of that of the machine at first */
export async function startClocks(skews: Record<string, number>): Promise<Clocks> {
  let machine = 0
  const clocks = new Map<string, { skew: number; clock: SettableClock | null }>()
  for (const [name, skew] of Object.entries(skews)) clocks.set(name, { skew, clock: await settableClock(skew) })
  const find = (name: string) => {
    const found = clocks.get(name)
    if (found === undefined) throw new Error(`There is no clock of the ${name}.`)
    return found
  }
  return {
    canBeSet: [...clocks.values()].every(({ clock }) => clock !== null),
    env: (name) => find(name).clock?.env ?? {},
    async skew(name, seconds) {
      find(name).skew = seconds
      await find(name).clock?.set(machine + seconds)
    },
    async jump(seconds) {
      machine = seconds
      for (const { skew, clock } of clocks.values()) await clock?.set(machine + skew)
    },
    async remove() {
      for (const { clock } of clocks.values()) await clock?.remove()
    },
  }
}
