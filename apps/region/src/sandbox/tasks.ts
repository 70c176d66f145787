/**
 * The tasks of the sandbox, by name. Tasks know files, not rooms. Each is loaded when it is first needed: most rooms
 * are small, so starting the process takes most of the time.
 */

export const tasks = {
  digestContent: async () => (await import('#rooms/digest-content.ts')).digestContent,
  checkDatabase: async () => (await import('#sqlite/check-database.ts')).checkDatabase,
  inspectDatabase: async () => (await import('#sqlite/check-database.ts')).inspectDatabase,
  settleInspected: async () => (await import('#sqlite/check-database.ts')).settleInspected,
  openExport: async () => (await import('#archives/open-export.ts')).openExport,
  rebuildSystemDatabase: async () => (await import('#rooms/rebuild-system-database.ts')).rebuildSystemDatabase,
  openBackup: async () => (await import('#archives/open-backup.ts')).openBackup,
  unpackBackup: async () => (await import('#archives/unpack-backup.ts')).unpackBackup,
}
export type Tasks = { [Name in keyof typeof tasks]: Awaited<ReturnType<(typeof tasks)[Name]>> }
