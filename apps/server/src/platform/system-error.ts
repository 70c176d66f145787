/** Node's errors of files, sockets and processes have a code, such as `ENOENT`, and no class of their own. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
