/**
 * Boots the whole network for development, tests and benchmarks: PostgreSQL, servers and regions, as real processes.
 * Start at network.ts; factories.ts makes valid input.
 */
export { askWithoutBody } from './ask-without-body.ts'
export { callDoctor, type DoctorsReport } from './call-doctor.ts'
export { readComposeFile, settingsOfService } from './deployment/compose-file.ts'
export { type Deployment, startDeployment } from './deployment/start-deployment.ts'
export * from './factories.ts'
export { type FaultProxy, type NetworkFaults, startFaultProxy } from './fault-proxy.ts'
export { freePort } from './free-port.ts'
export { bootNetwork, type Network, type NetworkOptions, openOperations, registerRegion } from './network.ts'
export { type ObjectStore, type ObjectStoreKeys, startObjectStore } from './object-store/start-object-store.ts'
export { type SignedInClient, signIn } from './operator-session.ts'
export { createNetworkDatabase, type NetworkDatabase } from './postgres.ts'
export { type PostgresServer, startPostgresServer } from './postgres-server.ts'
export { type ProcessUnderTest, repository, startProcess } from './process-under-test.ts'
export { programUnderTest } from './program-under-test.ts'
export { openRawRequest, type RawRequest } from './raw-request.ts'
export { sampled, sampledAmount, seed } from './sampled.ts'
export { seedRegions } from './seed/seed-regions.ts'
export { type SeedOptions, seedRooms } from './seed/seed-rooms.ts'
export { sendUpload } from './send-upload.ts'
export { fastClock, type SettableClock, settableClock, skewedClock } from './skewed-clock.ts'
export { openSlowReader, type SlowReader } from './slow-reader.ts'
export { mountSmallDisk, type SmallDisk } from './small-disk.ts'
export {
  type AuthorizationRequest,
  confidentialClient,
  type RunningIdentityProvider,
  startIdentityProvider,
} from './start-identity-provider.ts'
export { type RunningMailServer, startMailServer } from './start-mail-server.ts'
export { type PathProxy, startPathProxy } from './start-path-proxy.ts'
export { canStartPythonRegion, type PythonRegion, startPythonRegion } from './start-python-region.ts'
export { type RegionOptions, type RunningRegion, startRegion } from './start-region.ts'
export { administrator, type RunningServer, startServer } from './start-server.ts'
export { type CollectedSpan, startTraceCollector, type TraceCollector } from './start-trace-collector.ts'
export {
  type ReceivedWebhook,
  type ReceiverBehaviour,
  startWebhookReceiver,
  type WebhookReceiver,
} from './start-webhook-receiver.ts'
export { until } from './until.ts'
