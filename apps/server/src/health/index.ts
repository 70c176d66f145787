/**
 * For the people and programs that operate Roomkeeper: liveness, readiness, and metrics for Prometheus. Start at
 * health-routes.ts.
 */
export { type HealthParts, registerHealth } from './health-routes.ts'
export { createMetrics } from './metrics.ts'
export { createRegionProbe } from './probe-regions.ts'
export { createReadiness } from './readiness.ts'
