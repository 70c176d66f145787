/**
 * The parts of a start, for tools and tests that make, freeze, copy or replicate a folder with data themselves. The
 * caller must ensure that nobody else works on the same data folder.
 */
export { type Binaries, binariesIn, findBinaries } from './binaries.ts'
export { type Cluster, createCluster, ensureCluster } from './cluster.ts'
export { ConnectionFile } from './connection-file.ts'
export { type Identity, ownerOf } from './identity.ts'
export { ensurePostmaster, stopPostmaster } from './postmaster.ts'
