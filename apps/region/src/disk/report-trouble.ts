/** Logs a problem for whoever runs the region; the region itself goes on. */
export function reportTrouble(what: string, error?: unknown): void {
  const reason = error === undefined ? '' : `: ${error instanceof Error ? error.message : String(error)}`
  console.error(`${what}${reason}`)
}
