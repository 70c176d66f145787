export const longestName = 100

/** Shortens a name for a message, because a file may hold names of megabytes. */
export function shortened(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name
}
