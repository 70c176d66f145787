/** A line in the log for whoever runs the region: something is not in order, and the region goes on all the same. */
export function reportTrouble(what: string, error?: unknown): void {
  const reason = error === undefined ? '' : `: ${error instanceof Error ? error.message : String(error)}`
  console.error(`${what}${reason}`)
}
