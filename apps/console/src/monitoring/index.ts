/** Background processes, running and ended, and their logs. */
export { MonitoringTab } from './MonitoringTab.tsx'
