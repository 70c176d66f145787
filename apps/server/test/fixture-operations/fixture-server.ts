/** The real server, which also knows the fixture kind in the versions that FIXTURE_VERSIONS lists. For tests only. */
import { startServer } from '#app/server.ts'
import { readSettings } from '#app/settings.ts'
import { createLog } from '#platform/log.ts'
import { type FixtureVersion, fixtureKind } from './fixture-kind.ts'

const versions = (process.env.FIXTURE_VERSIONS ?? '1').split(',').map((text) => Number(text) as FixtureVersion)
const settings = readSettings(process.env)
const log = createLog(settings.LOG_LEVEL)
const around = {
  exit: (code: number) => process.exit(code),
  asked: new AbortController().signal,
  tellFirstAdministrator: () => undefined,
}
const server = await startServer(settings, log, around, versions.map(fixtureKind))
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))
process.send?.({ ready: true, address: server.address })
