/** Opens a region and its services, listens, and closes everything in order. */
import type { AddressInfo } from 'node:net'
import { startTracing } from '@roomkeeper/tracing'
import { openFileStore } from '#files/file-store.ts'
import { startHousekeeping } from '#housekeeping.ts'
import { createServer } from '#http/server.ts'
import { createJobKinds } from '#jobs/job-kinds.ts'
import { createJobs } from '#jobs/jobs.ts'
import { closeRegion, openRegion } from '#open-region.ts'
import type { RegionSettings } from '#settings.ts'

export interface RunningRegion {
  name: string
  /** Such as `http://127.0.0.1:9001`. */
  url: string
  port: number
  instanceId: string
  /** Finishes the requests under way, interrupts the jobs, and closes the databases. */
  close(): Promise<void>
}

/** Closing cuts off requests that have not ended after this time. */
const graceMilliseconds = 5000

export async function openRunningRegion(settings: RegionSettings): Promise<RunningRegion> {
  const stopTracing = await startTracing(settings.traces, {
    serviceName: 'roomkeeper-region',
    attributes: { 'roomkeeper.region.name': settings.name },
    onTrouble(error) {
      if (error === null) app.log.warn('the collector takes traces again')
      else app.log.warn({ reason: error.message }, 'the collector takes no traces, they are lost until it does')
    },
  })
  const region = await openRegion(settings)
  const files = await openFileStore(settings.dataDir)
  const jobs = createJobs(region, createJobKinds(files), (error) => app.log.error({ err: error }, 'a job failed'))
  const app = createServer({ region, files, jobs })
  try {
    await app.listen({ host: settings.host, port: settings.port })
  } catch (error) {
    closeRegion(region)
    throw error
  }
  const stopHousekeeping = startHousekeeping({ region, files, jobs }, (error) =>
    app.log.error({ err: error }, 'housekeeping failed'),
  )
  const { port } = app.server.address() as AddressInfo
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host
  return {
    name: settings.name,
    url: `http://${host}:${port}`,
    port,
    instanceId: region.instanceId,
    async close() {
      stopHousekeeping()
      const cutOff = setTimeout(() => app.server.closeAllConnections(), graceMilliseconds)
      await Promise.all([app.close(), jobs.stop()])
      clearTimeout(cutOff)
      closeRegion(region)
      await stopTracing()
    },
  }
}
