/** A real server process on a free port. */
import { type ProcessUnderTest, startProcess } from './process-under-test.ts'
import { programUnderTest } from './program-under-test.ts'

export interface RunningServer extends ProcessUnderTest<{ address: string | null }> {
  /** Such as `http://127.0.0.1:40123`. */
  address: string
}

export const administrator = { email: 'admin@localhost', password: 'administrator' }

/**
 * @param env more settings, which must include DATA_DIR or DATABASE_URL
 * @param program from the root of the repository; default: the server
 */
export async function startServer(env: Record<string, string>, program?: string): Promise<RunningServer> {
  const settings = {
    PORT: '0',
    LOG_LEVEL: 'warn',
    ADMIN_PASSWORD: administrator.password,
    WORKER_LEASE_SECONDS: '5',
    ...env,
  }
  // The same flags as `npm start`.
  const flags = ['--max-semi-space-size=4', '--expose-gc']
  const started = await startProcess<{ address: string | null }>(
    program ?? (await programUnderTest('server')),
    settings,
    flags,
  )
  return { ...started, address: started.ready.address ?? '' }
}
