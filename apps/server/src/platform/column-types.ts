/** Kinds of columns that most tables have. */
import type { ColumnType } from 'kysely'

/** Set by the database alone. */
export type Made<T> = ColumnType<T, never, never>
/** Set by the database unless given. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>
