/**
 * What the people and programs that run Roomkeeper ask it: whether it lives, whether it can do its work, and figures
 * for Prometheus. Start at health-routes.ts.
 */
export { type HealthParts, registerHealth } from './health-routes.ts'
export { createMetrics } from './metrics.ts'
export { createRegionProbe } from './probe-regions.ts'
export { createReadiness } from './readiness.ts'
