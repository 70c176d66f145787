/** PostgreSQL could not be brought up; the message is one line for the person who started the console. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

/** Another PostgreSQL runs on the data, where this process can neither reach nor see it. */
export class FolderInUse extends EmbeddedPostgresError {
  constructor(folder: string, owner: string) {
    super(
      `${folder} is in use by another PostgreSQL, ${owner}. Two must never run on the same data: stop that one, or set another DATA_DIR.`,
    )
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
