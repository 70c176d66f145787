/**
 * What is wrong now, what was done today, how full the regions are. Facts are read from what other parts have recorded;
 * processes add what only they know. Start at find-facts.ts.
 */
export { startRecordingCapacity } from './capacity.ts'
export { overviewHandlers } from './overview-routes.ts'
export { startReportingFaults } from './report-faults.ts'
export { startWatching } from './watch-facts.ts'
