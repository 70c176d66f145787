/** How long a call is tried again when the server does not answer: one of its processes may just be replaced. */
/** Of a first call: a wrong address shows soon. */
const ofFirstCallSeconds = 5
/** Of a server that has answered before. */
const usualSeconds = 60

let hasAnswered = false

export function noteAnswer(): void {
  hasAnswered = true
}

export function patienceSeconds(): number {
  return hasAnswered ? usualSeconds : ofFirstCallSeconds
}

const firstPauseSeconds = 0.2
const longestPauseSeconds = 3

/** @param tries so far, from 1 */
export function pauseSeconds(tries: number): number {
  return Math.min(firstPauseSeconds * 2 ** (tries - 1), longestPauseSeconds)
}
