/**
 * Regions: the server installations that host rooms; enabled or disabled. Here: who they are, how to reach them,
 * and the places they have. Start at region-routes.ts; connect-region.ts is what operations use.
 */
export { askRegion } from './ask-region.ts'
export { type ConnectRegion, createRegionConnections } from './connect-region.ts'
export { startEmbeddedRegions } from './embedded-regions.ts'
export { type CopyToHold, closeHeld, whileHeld } from './hold-copy.ts'
export { recordLateCalls } from './late-calls.ts'
export { above, ownMark, refuseAllOf, refuseBelow } from './own-fence.ts'
export { findRedirect, forgetRedirect, recordRedirect, redirectsOfRoom } from './redirects.ts'
export { startRefusingLateCalls } from './refuse-late-calls.ts'
export { learnInstances } from './region-instance.ts'
export { regionHandlers } from './region-routes.ts'
export { beginRemoval, removeSeen } from './remove-seen.ts'
export { type JobLimits, resultOfJob, runRegionJob, soonGivenUp, stopRegionJob } from './run-region-job.ts'
export { systemPasswordOf } from './system-password.ts'
export type { RegionTables } from './tables.ts'
export { holdPlaces, placesOf, type RegionPlaces, takePlace } from './take-place.ts'
export { isOfRegion, whileRegionAnswers } from './while-region-answers.ts'
