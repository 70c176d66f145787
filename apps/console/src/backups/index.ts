/** The backups of rooms, including rooms that were removed with their region. */
export { BackupsPanel } from './BackupsPanel.tsx'
export { Verified } from './BackupsTable.tsx'
export { RemovedBackupsDialog } from './RemovedBackupsDialog.tsx'
