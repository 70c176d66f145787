/**
 * The region protocol: its schemas (schemas.ts, jobs.ts, files.ts), its route table (routes.ts), and its client
 * (client.ts). To write a region server, start at docs/region/README.md and test it with the conformance kit
 * (conformance/).
 */

export * from './backup-archive.ts'
export * from './backup-manifest.ts'
export { atMost, boundedJson } from './bounds.ts'
export { aboutCapabilities, type Capability, capabilities } from './capabilities.ts'
export { boundedText } from './client/bounded-text.ts'
export * from './client/errors.ts'
export * from './client.ts'
export { type RegionCode, regionCodes } from './codes.ts'
export * from './database-export.ts'
export * from './files.ts'
export * from './jobs.ts'
export * from './mark.ts'
export { boundedAnswers, EndlessAnswer, storeErrorCode } from './object-store-answers.ts'
export * from './object-store-location.ts'
export { createRateMeter, type MinimumRate, slowestRate } from './rate-meter.ts'
export { readWithLimits } from './read-with-limits.ts'
export * from './route.ts'
export * from './routes.ts'
export * from './schemas.ts'
export { createSpareMemory, type SpareMemory } from './spare-memory.ts'
export { cleanText } from './texts.ts'
