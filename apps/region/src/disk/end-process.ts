/**
 * Ends the region's process when a change was made but may not survive a power cut: after a failed fsync nobody knows
 * what is on disk, and either answer could be wrong. The next start recovers from what is there and brings it to disk.
 */
export function endProcess(what: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  console.error(`The region ends, because its storage failed and it has to look again: ${what}: ${reason}`)
  process.exit(1)
}
