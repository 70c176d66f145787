/**
 * Regions: the server installations that host rooms; enabled or disabled. This folder knows them, reaches them and
 * counts their capacity. Start at region-routes.ts; operations use connect-region.ts.
 */

export { isLoopback } from './change-region.ts'
export { startCheckingRegions } from './check-regions.ts'
export { type ConnectRegion, createRegionConnections, drillConnections, learnInstances } from './connect-region.ts'
export { startEmbeddedRegions } from './embedded-regions.ts'
export {
  ensureCapacity,
  expectCapacity,
  findCapacity,
  lockCapacity,
  type RegionCapacity,
} from './ensure-capacity.ts'
export { recordLateCalls } from './late-calls.ts'
export { markWithOwnFence, refuseCallsOf, refuseOlderCalls, withNextFence } from './own-fence.ts'
export { findRedirect, forgetRedirect, recordRedirect, redirectsOfRoom } from './redirects.ts'
export { startRefusingLateCalls } from './refuse-late-calls.ts'
export { askRegion, isRegionError, logFailureOfRegion, tryOnRegion } from './region-failures.ts'
export { createHealthNotes, type HealthNotes } from './region-health.ts'
export { regionHandlers } from './region-routes.ts'
export {
  type CopyToLock,
  copyToLock,
  forgetClosing,
  isClosing,
  recordClosing,
  releaseCopy,
  removeCheckedCopy,
  startRemoval,
  suspendLocked,
  withCopyLocked,
} from './remove-copy.ts'
export { type JobLimits, resultOfJob, runRegionJob, shortLimits, stateOfJob, stopRegionJob } from './run-region-job.ts'
export { systemPasswordOf } from './stored-region.ts'
