/** A real region server process. */
import { createRegionClient, type RegionClient } from '@roomkeeper/region-protocol'
import { type ProcessUnderTest, startProcess } from './process-under-test.ts'
import { programUnderTest } from './program-under-test.ts'

export interface RunningRegion extends ProcessUnderTest<{ port: number }> {
  name: string
  url: string
  userName: string
  password: string
  systemPassword: string
  dataDir: string
  port: number
  client: RegionClient
}

export interface RegionOptions {
  name: string
  dataDir: string
  /** The port of an earlier start, to keep the address; default: any free port. */
  port?: number
  env?: Record<string, string>
}

/** Of all regions of a network. */
export const login = { userName: 'superuser', password: 'region-password', systemPassword: 'system-password' }

export async function startRegion(options: RegionOptions): Promise<RunningRegion> {
  const started = await startProcess<{ port: number }>(await programUnderTest('region'), {
    REGION_PORT: String(options.port ?? 0),
    REGION_HOST: '127.0.0.1',
    REGION_DATA_DIR: options.dataDir,
    REGION_NAME: options.name,
    REGION_USER: login.userName,
    REGION_PASSWORD: login.password,
    REGION_SYSTEM_PASSWORD: login.systemPassword,
    REGION_FAULTS: '1',
    // At the default cost, deriving the key of a database export takes a third of a second, at export and import.
    REGION_EXPORT_COST: '10',
    ...options.env,
  })
  const { port } = started.ready
  const url = `http://127.0.0.1:${port}`
  const client = createRegionClient({ url, userName: login.userName, password: login.password })
  return { ...started, ...login, name: options.name, dataDir: options.dataDir, port, url, client }
}
