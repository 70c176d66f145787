/**
 * Regions: the server installations that host rooms; enabled or disabled. This folder knows them, reaches them and
 * counts their capacity. Start at region-routes.ts; operations use connect-region.ts.
 */
export { askRegion } from './ask-region.ts'
export { isLoopback } from './check-region-draft.ts'
export { startCheckingRegions } from './check-regions.ts'
export { forgetClosing, isClosing, recordClosing } from './closed-copy.ts'
export { type ConnectRegion, createRegionConnections } from './connect-region.ts'
export { drillConnections } from './drill-connections.ts'
export { startEmbeddedRegions } from './embedded-regions.ts'
export { capacityOf, ensureCapacity, expectCapacity, lockCapacity, type RegionCapacity } from './ensure-capacity.ts'
export { recordLateCalls } from './late-calls.ts'
export { learnInstances } from './learn-instances.ts'
export { type CopyToLock, copyToLock, releaseCopy, suspendLocked, withCopyLocked } from './lock-copy.ts'
export { markWithOwnFence, refuseCallsOf, refuseOlderCalls, withNextFence } from './own-fence.ts'
export { findRedirect, forgetRedirect, recordRedirect, redirectsOfRoom } from './redirects.ts'
export { startRefusingLateCalls } from './refuse-late-calls.ts'
export { createHealthNotes, type HealthNotes } from './region-health.ts'
export { regionHandlers } from './region-routes.ts'
export { removeCheckedCopy, startRemoval } from './remove-checked-copy.ts'
export {
  type JobLimits,
  resultOfJob,
  runRegionJob,
  shortLimits,
  stateOfJob,
  stopRegionJob,
} from './run-region-job.ts'
export { systemPasswordOf } from './system-password.ts'
export type { RegionTables } from './tables.ts'
export { isRegionError, logFailureOfRegion, tryOnRegion } from './try-on-region.ts'
