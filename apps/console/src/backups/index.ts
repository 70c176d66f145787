/** The backups of rooms, including rooms that were removed with their region. */
export { BackupsPanel } from './BackupsPanel.tsx'
export { Verified } from './BackupsTable.tsx'
export { backupsQuery } from './queries.ts'
export { RemovedBackupsDialog } from './RemovedBackupsDialog.tsx'
