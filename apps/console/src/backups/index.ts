/** Backups: those of a room, and those of rooms that were removed with their region. */
export { BackupsPanel } from './BackupsPanel.tsx'
export { RemovedBackupsDialog } from './RemovedBackupsDialog.tsx'
