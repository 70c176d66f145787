/** The tables of system.db that are not part of a room's content: no backup and no digest includes them. */
export const localTables: readonly string[] = ['sessions', 'backups']
