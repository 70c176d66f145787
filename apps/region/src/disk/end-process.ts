/**
 * The end of the region's process when a change took place but may not outlive a power cut: after a failed fsync
 * nobody knows what is on disk, and an answer, either way, could be wrong. The next start looks at what is there and
 * brings it to disk.
 */
export function endProcess(what: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  console.error(`The region ends, because its storage failed and it has to look again: ${what}: ${reason}`)
  process.exit(1)
}
