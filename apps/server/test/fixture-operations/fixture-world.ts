/** One database with workers that know the fixture kind. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  administrator,
  createNetworkDatabase,
  type NetworkDatabase,
  type ProcessUnderTest,
  programUnderTest,
  startProcess,
  until,
} from '@roomkeeper/dev-env'
import { startOperation } from '#operations/index.ts'
import { type Database, openDatabase } from '#platform/database.ts'
import { type FixtureInput, type FixtureVersion, fixtureKind, fixtureTables } from './fixture-kind.ts'

export type Worker = ProcessUnderTest<unknown>

export interface FixtureWorld {
  database: NetworkDatabase
  ours: Database
  faultFile: string
  worker(env?: Record<string, string>): Promise<Worker>
  /** Starts a fixture operation. @returns its id */
  begin(given?: {
    input?: FixtureInput
    version?: FixtureVersion
    subject?: string
    region?: number
    background?: boolean
  }): Promise<string>
  sign(text: string): Promise<void>
  unsign(text: string): Promise<void>
  /** The effects of an operation, in order. */
  effects(id: string): Promise<string[]>
  /**
   * Whether this step runs. Unlike the effect of the step before, which is committed first, this also says that the
   * end of that step is recorded, so that no other worker runs it again.
   */
  isAt(id: string, step: string): Promise<boolean>
  state(id: string): Promise<{ state: string; error: string | null }>
  settle(): Promise<void>
  stop(): Promise<void>
}

/** @param env for every worker */
export async function createFixtureWorld(env: Record<string, string> = {}): Promise<FixtureWorld> {
  const dir = await mkdtemp(join(tmpdir(), 'roomkeeper-fixture-'))
  const database = await createNetworkDatabase({ isPrepared: true })
  const ours = openDatabase(database.url, { maxConnections: 4 })
  const faultFile = join(dir, 'fault')
  const workers: Worker[] = []
  const start = async (more: Record<string, string> = {}) => {
    const program = await programUnderTest('server', 'test/fixture-operations/fixture-server.ts')
    const worker = await startProcess<unknown>(program, {
      PROCESS: 'worker',
      DATABASE_URL: database.url,
      DATA_DIR: dir,
      DATA_SHARED: '1',
      SECRET_KEY: 'a secret key for tests only',
      EMBEDDED_REGIONS: '0',
      LOG_LEVEL: 'warn',
      PORT: '0',
      ADMIN_PASSWORD: administrator.password,
      WORKER_LEASE_SECONDS: '3',
      FAULT_FILE: faultFile,
      ...env,
      ...more,
    })
    workers.push(worker)
    return worker
  }
  await database.rows(fixtureTables)
  const one = async <Row>(text: string, values: unknown[]) => (await database.rows<Row>(text, values))[0] as Row
  return {
    database,
    ours,
    faultFile,
    worker: start,
    begin: ({ input = {}, version = 1, subject = 'a fixture', region, background = false } = {}) =>
      ours.transaction((tx) =>
        startOperation(tx, fixtureKind(version), {
          input,
          room: null,
          subject,
          regionId: region ?? null,
          startedBy: 'a test',
          requestId: null,
          background,
        }),
      ),
    sign: async (text) => void (await database.rows('insert into fixture_signs values ($1)', [text])),
    unsign: async (text) => void (await database.rows('delete from fixture_signs where sign = $1', [text])),
    async effects(id) {
      const rows = await database.rows<{ what: string }>(
        'select what from fixture_effects where operation_id = $1 order by n',
        [id],
      )
      return rows.map(({ what }) => what)
    },
    async isAt(id, step) {
      const sql = `select from operation_steps where operation_id = $1 and name = $2 and state = 'running'`
      return (await database.rows(sql, [id, step])).length > 0
    },
    state: (id) => one('select state, error from operations where id = $1', [id]),
    settle: () =>
      until(
        'all operations have ended',
        async () => {
          const open = `select from operations where state in ('waiting', 'running', 'cancelling') limit 1`
          return (await database.rows(open)).length === 0
        },
        60,
      ),
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop('SIGKILL')))
      await ours.close()
      await database.drop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
