/**
 * Ends the region's process after a change that may not survive a power cut. After a failed fsync the content of the
 * disk is unknown, so an answer of success or of failure could be wrong. The next start recovers from what it finds and
 * brings it to disk.
 */
export function endProcess(what: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  console.error(`The region ends, because its storage failed and it has to look again: ${what}: ${reason}`)
  process.exit(1)
}
