export type EmbeddedPostgresCode =
  /** npm has no PostgreSQL for this kind of machine, or it is not installed. */
  | 'no-programs'
  /** A Linux without `flock` of util-linux. */
  | 'no-flock'
  /** Another PostgreSQL runs on the data, where this process can neither reach nor see it. */
  | 'folder-in-use'
  /** PostgreSQL's user cannot enter the folder with the data. */
  | 'folder-closed'
  /** The folder does not hold the data of a PostgreSQL. */
  | 'not-a-cluster'
  /** `postgres.json` is missing or cannot be read. */
  | 'password-lost'
  | 'initdb-failed'
  /** The data is that of an older major version: it has to be upgraded. */
  | 'data-too-old'
  /** The data is that of a newer major version. */
  | 'data-too-new'
  /** The port of before is taken, and must not change, or one after the other was. */
  | 'port-in-use'
  | 'start-failed'
  /** An upgrade has nothing to do. */
  | 'nothing-to-upgrade'
  /** The programs given for an upgrade are missing, or those of another version. */
  | 'wrong-programs'
  /** An upgrade needs the application to be stopped. */
  | 'still-running'
  /** Old and new data have not the same tables, or a table was not the same afterwards. */
  | 'copy-failed'

/**
 * PostgreSQL could not be brought up, or not be upgraded. The message is one line for the person who started the
 * program.
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
