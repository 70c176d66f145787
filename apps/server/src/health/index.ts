/**
 * Liveness, readiness and metrics for Prometheus, for the people and programs that operate Roomkeeper. Start at
 * health-routes.ts.
 */
export { type HealthParts, registerHealth } from './health-routes.ts'
export { createMetrics } from './metrics.ts'
export { createRegionProbe } from './probes.ts'
export { createReadiness } from './readiness.ts'
