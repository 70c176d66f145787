/** For tests that make, freeze, copy or replicate a folder with data, on which nothing else may work meanwhile. */
export { type Cluster, createCluster, ensureCluster, openConnection, urlOf } from './cluster.ts'
export { ensurePostmaster, stopPostmaster } from './postmaster.ts'
export { binariesIn, findBinaries, ownerOf } from './programs.ts'
