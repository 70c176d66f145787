/**
 * Counts calls with unknown tokens, by network, in the memory of this process, so that guesses cause no writes. A
 * neighbour's guesses shut no one out, because a token that counts is admitted before.
 */
import { widerNetworkOf } from '#platform/networks.ts'

const windowMinutes = 15
const mostInWindow = 20
/** Networks; the one that began first is forgotten first. */
const mostKept = 10_000

interface Guesses {
  since: number
  times: number
}

/** @returns counts a guess, and answers for how many more minutes they are too many from there; null: they are not */
export function createGuessCounter(now: () => number = () => performance.now()): (address: string) => number | null {
  const networks = new Map<string, Guesses>()
  return (address) => {
    const at = now()
    forgetOld(networks, at)
    const network = widerNetworkOf(address)
    const guesses = networks.get(network) ?? { since: at, times: 0 }
    networks.set(network, guesses)
    guesses.times = Math.min(guesses.times + 1, mostInWindow + 1)
    return guesses.times > mostInWindow ? minutesLeft(guesses, at) : null
  }
}

/** The oldest come first. */
function forgetOld(networks: Map<string, Guesses>, at: number): void {
  for (const [network, { since }] of networks) {
    if (at - since < windowMinutes * 60_000 && networks.size < mostKept) return
    networks.delete(network)
  }
}

function minutesLeft({ since }: Guesses, at: number): number {
  return Math.max(1, Math.ceil(windowMinutes - (at - since) / 60_000))
}
