/**
 * What is wrong now. Facts are read from what other parts have recorded; processes add what only they know. Start at
 * find-facts.ts.
 */
export { overviewHandlers } from './overview-routes.ts'
export { startReportingFaults } from './report-faults.ts'
export { startWatching } from './watch-facts.ts'
