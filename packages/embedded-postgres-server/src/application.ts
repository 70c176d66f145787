/** Whose PostgreSQL it is: what the files, the user and the messages are named after. */
import { type EmbeddedPostgresCode, EmbeddedPostgresError } from './errors.ts'

export interface Application {
  /**
   * Lower-case letters, digits and `_`. The superuser and the database are called so, the lock file is `<name>.lock`. It
   * must never change: it is written into the data.
   */
  name: string
  /** As messages call it. Default: `the application`. */
  title?: string
  /** By code of the error, what people can do about it in your application: the end of the message, with a full stop. */
  advice?: Partial<Record<EmbeddedPostgresCode, string>>
}

/** @throws {TypeError} for a name that cannot stand unquoted in SQL and in the name of a file */
export function checkApplication({ name }: Application): void {
  if (!/^[a-z][a-z0-9_]{0,50}$/.test(name))
    throw new TypeError(`An application's name has letters, digits and _, not '${name}'.`)
}

export const titleOf = (application: Application): string => application.title ?? 'the application'

/** @param usual the advice where the application has none of its own */
export function failure(
  application: Application,
  code: EmbeddedPostgresCode,
  message: string,
  usual: string,
): EmbeddedPostgresError {
  return new EmbeddedPostgresError(code, `${message}${application.advice?.[code] ?? usual}`)
}

/**
 * Where things go that PostgreSQL's user must reach when the program runs as root, and the data folder or node_modules
 * are root's alone.
 */
export const systemFolder = ({ name }: Application): string => `/var/lib/${name}`
