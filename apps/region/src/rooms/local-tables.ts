/** Tables of system.db that are not part of a room's content: they are in no backup and in no digest. */
export const localTables: readonly string[] = ['sessions', 'backups']
