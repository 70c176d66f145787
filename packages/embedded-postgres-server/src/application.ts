/** The application that PostgreSQL belongs to. Files, user and messages are named after it. */
import { type EmbeddedPostgresCode, EmbeddedPostgresError } from './errors.ts'

export interface Application {
  /**
   * Lower-case letters, digits and `_`. The superuser and the database have this name; the lock file is `<name>.lock`.
   * It must never change, because it is part of the data.
   */
  name: string
  /** Its name in messages. Default: `the application`. */
  title?: string
  /**
   * By error code, what people can do about the error in your application: the end of its message, with a full stop.
   */
  advice?: Partial<Record<EmbeddedPostgresCode, string>>
}

/** @throws {TypeError} for a name that cannot be used unquoted in SQL and in file names */
export function checkApplication({ name }: Application): void {
  if (!/^[a-z][a-z0-9_]{0,50}$/.test(name))
    throw new TypeError(`An application's name has letters, digits and _, not '${name}'.`)
}

export const titleOf = (application: Application): string => application.title ?? 'the application'

/** @param usual the advice if the application gives none */
export function failure(
  application: Application,
  code: EmbeddedPostgresCode,
  message: string,
  usual: string,
): EmbeddedPostgresError {
  return new EmbeddedPostgresError(code, `${message}${application.advice?.[code] ?? usual}`)
}

/**
 * The folder for files that PostgreSQL's user must reach, when the program runs as root and only root can enter the
 * data folder or node_modules.
 */
export const systemFolder = ({ name }: Application): string => `/var/lib/${name}`
