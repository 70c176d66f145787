/** Column types that most tables use. */
import type { ColumnType } from 'kysely'

/** Only the database sets it. */
export type ReadOnlyColumn<T> = ColumnType<T, never, never>
/** JSON that may be missing. */
export type MaybeJson<T> = ColumnType<T | null, string | null | undefined, string | null>
/** The database sets it unless a value is given. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>
