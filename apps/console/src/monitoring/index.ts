/** Background processes, running and ended, with their logs. */
export { MonitoringTab } from './MonitoringTab.tsx'
