/** Kinds of columns that most tables have. */
import type { ColumnType } from 'kysely'

/** Set by the database alone. */
export type Made<T> = ColumnType<T, never, never>
/** JSON that may be missing. */
export type MaybeJson<T> = ColumnType<T | null, string | null | undefined, string | null>
/** Set by the database unless given. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>
