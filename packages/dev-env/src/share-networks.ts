/**
 * What the networks of one test run share, because a network would spend most of its boot time on it: bundles of the
 * programs, one PostgreSQL, and the database of a console that has been started once.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeBundles } from './bundle-programs.ts'
import { createNetworkDatabase, type SharedPostgres, sharedPostgresVariable, spawnPostgres } from './postgres.ts'
import { bundlesVariable, programUnderTest } from './program-under-test.ts'
import { type SharedResource, serveResource } from './shared-resource.ts'
import { startRegion } from './start-region.ts'
import { startServer } from './start-server.ts'

/** For the global set-up of a test runner. @returns removes what was shared */
export async function shareNetworks(): Promise<() => Promise<void>> {
  const ends = [
    await serveResource(bundlesVariable, makeBundles),
    await serveResource(sharedPostgresVariable, startSharedPostgres),
  ]
  return async () => {
    for (const end of ends) await end()
  }
}

async function startSharedPostgres(): Promise<SharedResource<SharedPostgres>> {
  const dir = await mkdtemp(join(tmpdir(), 'roomkeeper-shared-'))
  // Bundles take about as long as PostgreSQL's start.
  const [{ address: url, release }] = await Promise.all([spawnPostgres(), programUnderTest('server')])
  const template = await createNetworkDatabase({ on: { url, template: null } })
  const env = {
    DATABASE_URL: template.url,
    DATA_DIR: join(dir, 'server'),
    SECRET_KEY: 'a secret key for tests only',
    EMBEDDED_REGIONS: '0',
  }
  // Node writes its compile cache when a program exits normally. Networks kill their regions, so one is stopped here.
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
