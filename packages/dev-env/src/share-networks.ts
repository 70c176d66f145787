/**
 * What the networks of one test run share, because it takes most of the time in which a network boots in which a network
 * boots: bundles of the programs, one PostgreSQL, and the database of a console that has been started once.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { holdBundles } from './bundle-programs.ts'
import { type Held, keepForRun } from './keep-for-run.ts'
import { createNetworkDatabase, holdPostgres, type SharedPostgres, sharedPostgresVariable } from './postgres.ts'
import { bundlesVariable, programUnderTest } from './program-under-test.ts'
import { startRegion } from './start-region.ts'
import { startServer } from './start-server.ts'

/** For the global set-up of a test runner. @returns removes what was shared */
export async function shareNetworks(): Promise<() => Promise<void>> {
  const ends = [
    await keepForRun(bundlesVariable, holdBundles),
    await keepForRun(sharedPostgresVariable, holdSharedPostgres),
  ]
  return async () => {
    for (const end of ends) await end()
  }
}

async function holdSharedPostgres(): Promise<Held<SharedPostgres>> {
  const dir = await mkdtemp(join(tmpdir(), 'roomkeeper-shared-'))
  // Bundles take about as long as PostgreSQL's start.
  const [{ address: url, release }] = await Promise.all([holdPostgres(), programUnderTest('server')])
  const template = await createNetworkDatabase({ on: { url, template: null } })
  const env = {
    DATABASE_URL: template.url,
    DATA_DIR: join(dir, 'server'),
    SECRET_KEY: 'a secret key for tests only',
    EMBEDDED_REGIONS: '0',
  }
  // Regions keep their compiled code when they end in order, which those of a network do not: it kills them.
  const region = startRegion({ name: 'region-1', dataDir: join(dir, 'region') })
  for (const program of await Promise.all([startServer(env), region])) await program.stop()
  await rm(dir, { recursive: true, force: true })
  return {
    address: { url, template: new URL(template.url).pathname.slice(1) },
    async release() {
      await template.drop()
      await release()
    },
  }
}
