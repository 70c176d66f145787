/** The backups of rooms, including rooms that were removed with their region. */
export { BackupsPanel } from './BackupsPanel.tsx'
export { RemovedBackupsDialog } from './RemovedBackupsDialog.tsx'
