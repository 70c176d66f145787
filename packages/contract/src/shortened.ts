export const longestName = 100

/** What somebody calls something, for a message. A file may hold names of megabytes. */
export function shortened(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name
}
