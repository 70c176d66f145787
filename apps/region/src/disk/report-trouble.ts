/** Logs a problem for the people who run the region. The region goes on. */
export function reportTrouble(what: string, error?: unknown): void {
  const reason = error === undefined ? '' : `: ${error instanceof Error ? error.message : String(error)}`
  console.error(`${what}${reason}`)
}
