export type EmbeddedPostgresCode =
  /** npm has no PostgreSQL for this platform, or it is not installed. */
  | 'no-programs'
  /** A Linux without util-linux's `flock`. */
  | 'no-flock'
  /** Another PostgreSQL runs on the data, where this process can neither reach nor see it. */
  | 'folder-in-use'
  /** PostgreSQL's user cannot enter the folder with the data. */
  | 'folder-closed'
  /** The folder does not hold PostgreSQL data. */
  | 'not-a-cluster'
  /** `postgres.json` is missing or cannot be read. */
  | 'password-lost'
  | 'initdb-failed'
  /** The data is of an older major version and has to be upgraded. */
  | 'data-too-old'
  /** The data is of a newer major version. */
  | 'data-too-new'
  /** The remembered port is in use and must not change, or several ports in a row were in use. */
  | 'port-in-use'
  | 'start-failed'
  /** An upgrade has nothing to do. */
  | 'nothing-to-upgrade'
  /** The programs given for an upgrade are missing, or of the wrong version. */
  | 'wrong-programs'
  /** The application must be stopped before an upgrade. */
  | 'still-running'
  /** The old and the new data have different tables, or a table's copy differs from the original. */
  | 'copy-failed'

/**
 * PostgreSQL could not be started or upgraded. The message is one line for the person who started the program.
 */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
  readonly code: EmbeddedPostgresCode

  constructor(code: EmbeddedPostgresCode, message: string) {
    super(message)
    this.code = code
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
