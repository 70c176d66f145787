/** Backup policies: which project rooms are backed up by themselves, when, and which of these backups are kept. */
export { BackupPoliciesTab } from './BackupPoliciesTab.tsx'
