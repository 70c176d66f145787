/**
 * Starts what deploy/compose.yaml describes, without containers: the same commands, settings, files and secrets, read
 * from it and made by deploy/make-secrets.sh, with this repository as the image and Debian's HAProxy as the proxy.
 */
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { compileCache, repository } from '../process-under-test.ts'
import { until } from '../until.ts'
import { type ComposeService, deployFolder, readComposeFile, settingsOfService } from './compose-file.ts'
import { type DatabaseStandIn, databaseStandIn } from './database-stand-in.ts'
import { type Loopback, onLoopback } from './on-loopback.ts'
import { type Supervised, supervise } from './supervised-process.ts'

export interface Deployment {
  /** Where browsers reach the console: the proxy. */
  address: string
  /** The self-signed certificate of the proxy. */
  certificate: string
  administrator: { email: string; password: string }
  /** What an administrator enters to register them. */
  regions: { name: string; url: string; userName: string; password: string; systemPassword: string }[]
  databaseUrl: string
  /** The folder that stands for `secrets/`. */
  secrets: string
  /** The settings of a service, as they are here. */
  settingsOf(service: string): Record<string, string>
  services: readonly string[]
  process(service: string): Supervised
  /** Waits until the service's own health check succeeds. */
  healthy(service: string): Promise<void>
  stop(): Promise<void>
}

/** A service with what it has on this machine. */
interface Local {
  service: ComposeService
  settings: Record<string, string>
  running: Supervised
  isHealthy(): Promise<boolean>
}

const execute = promisify(execFile)
const healthSeconds = 120

export async function startDeployment(): Promise<Deployment> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'roomkeeper-deployment-')))
  const started: Local[] = []
  const stop = async () => {
    await Promise.all(started.map(({ running }) => running.stop()))
    await rm(dir, { recursive: true, force: true })
  }
  try {
    // Under root, PostgreSQL runs as another user, who must be able to enter the folder.
    await chmod(dir, 0o755)
    const databaseUrl = await startAll(dir, started)
    return { ...(await describe(dir, started)), databaseUrl, stop }
  } catch (error) {
    const said = started.map(({ service, running }) => `${service.name}:\n${running.output()}`)
    await stop()
    throw new Error(['The deployment did not start.', ...said].join('\n'), { cause: error })
  }
}

/** @param started gets each service that was started @returns the URL of the database */
async function startAll(dir: string, started: Local[]): Promise<string> {
  const services = await readComposeFile()
  const secrets = join(dir, 'secrets')
  const loopback = onLoopback(services, dir, secrets)
  await execute(join(deployFolder, 'make-secrets.sh'), [`${loopback.addressOf('proxy')}:8443`, secrets])
  const database = services.find(({ isDatabase }) => isDatabase)
  if (database === undefined) throw new Error('The compose file has no database.')
  const settings = await settingsOfService(database, secrets)
  const [volume] = database.mounts.map(({ source }) => loopback.pathOf(database, source))
  const standIn = await databaseStandIn(database.command, settings, volume ?? '', loopback.addressOf(database.name))
  started.push(startDatabase(database, settings, standIn))
  // As in the image, whose database can be reached only when it is made.
  await standIn.prepare()
  // The others in any order.
  for (const service of services.filter((each) => each !== database)) {
    started.push(await startService(service, await settingsOfService(service, secrets), loopback))
  }
  for (const each of started) await healthy(each)
  return standIn.url
}

function startDatabase(service: ComposeService, settings: Record<string, string>, standIn: DatabaseStandIn): Local {
  const { command, cwd, identity, isHealthy } = standIn
  const running = supervise({ ...service, command, cwd, identity, env: { LC_ALL: 'C' } })
  return { service, settings, running, isHealthy }
}

async function startService(service: ComposeService, given: Record<string, string>, on: Loopback): Promise<Local> {
  await provideMounts(service, on)
  const env: Record<string, string> = { PATH: `${process.env.PATH}:/usr/sbin`, NODE_COMPILE_CACHE: compileCache }
  for (const [name, value] of Object.entries(given)) env[name] = on.translate(service, value)
  const here = (command: readonly string[]) =>
    command.map((each, index) => (index === 0 && each === 'node' ? process.execPath : on.translate(service, each)))
  const running = supervise({ ...service, command: here(service.command), cwd: repository, identity: null, env })
  const [program = '', ...args] = here(service.healthcheck)
  const isHealthy = () =>
    execute(program, args, { env, timeout: 10_000 }).then(
      () => true,
      // A check is a process of its own, which would take the time that the service needs to start.
      () => pause(1000, false),
    )
  return { service, settings: env, running, isHealthy }
}

/** Folders for volumes, and translated copies of the files that the container sees. */
async function provideMounts(service: ComposeService, on: Loopback): Promise<void> {
  for (const { source } of service.mounts) {
    const path = on.pathOf(service, source)
    if (source.startsWith('./secrets/')) continue
    await mkdir(path, { recursive: true })
    if (!source.startsWith('./')) continue
    for (const name of await readdir(join(deployFolder, source))) {
      const text = on.translate(service, await readFile(join(deployFolder, source, name), 'utf8'))
      await writeFile(join(path, name), process.getuid?.() === 0 ? text : withoutUser(text))
    }
  }
}

/** Only root can become another user. */
function withoutUser(configuration: string): string {
  return configuration.replaceAll(/^ +(?:user|group) .*\n/gm, '')
}

async function describe(dir: string, started: readonly Local[]): Promise<Omit<Deployment, 'databaseUrl' | 'stop'>> {
  const find = (name: string) => {
    const found = started.find(({ service }) => service.name === name)
    if (found === undefined) throw new Error(`The compose file has no service ${name}.`)
    return found
  }
  const api = find('api-1').settings
  const regions = started.filter(({ settings }) => settings.REGION_NAME !== undefined)
  return {
    address: api.PUBLIC_URL ?? '',
    secrets: join(dir, 'secrets'),
    certificate: await readFile(join(dir, 'secrets/proxy/certificate.pem'), 'utf8'),
    administrator: { email: api.ADMIN_EMAIL ?? '', password: api.ADMIN_PASSWORD ?? '' },
    regions: regions.map(({ settings }) => ({
      name: settings.REGION_NAME ?? '',
      url: `http://${settings.REGION_HOST}:9001`,
      userName: 'superuser',
      password: settings.REGION_PASSWORD ?? '',
      systemPassword: settings.REGION_SYSTEM_PASSWORD ?? '',
    })),
    services: started.map(({ service }) => service.name),
    settingsOf: (name) => find(name).settings,
    process: (name) => find(name).running,
    healthy: (name) => healthy(find(name)),
  }
}

function healthy({ service, isHealthy }: Local): Promise<void> {
  return until(`${service.name} is healthy`, isHealthy, healthSeconds)
}
