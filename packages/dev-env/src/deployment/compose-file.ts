/**
 * What the containers of deploy/compose.yaml run: their commands, settings, volumes and checks, with what their image
 * gives them. Knows no more of compose than that file needs, and refuses the rest, so that nothing in it is ignored.
 */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import { z } from 'zod'
import { repository } from '../process-under-test.ts'

export const deployFolder = resolve(repository, 'deploy')

export interface ComposeService {
  name: string
  /** Whether its image is PostgreSQL's. */
  isDatabase: boolean
  command: readonly string[]
  /** Without those of its env files: see `settingsOfService`. */
  env: { image: Record<string, string>; files: readonly string[]; own: Record<string, string> }
  mounts: readonly Mount[]
  /** Those that it is in, each with its fixed address there; null: it has any. */
  networks: Readonly<Record<string, string | null>>
  healthcheck: readonly string[]
  stopSignal: 'SIGTERM' | 'SIGINT' | 'SIGUSR1'
  stopGraceSeconds: number
  /** Those that its processes may have as root, as setpriv names them; null: all that containers have. */
  capabilities: readonly string[] | null
}

/** @property source the name of a volume, or the path of a folder beside the compose file: `./…` */
export interface Mount {
  source: string
  target: string
}

const command = z.array(z.string()).min(1)
const service = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  command: command.optional(),
  environment: z.record(z.string(), z.string()).default({}),
  env_file: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  healthcheck: z.strictObject({
    test: command.refine(([how]) => how === 'CMD'),
    interval: z.string(),
    timeout: z.string(),
    retries: z.int(),
    start_period: z.string(),
  }),
  restart: z.literal('always'),
  stop_signal: z.enum(['SIGTERM', 'SIGINT', 'SIGUSR1']).default('SIGTERM'),
  stop_grace_period: z.string().regex(/^\d+s$/),
  networks: z.record(z.string(), z.strictObject({ ipv4_address: z.ipv4().optional() })),
  cap_drop: z.tuple([z.literal('ALL')]).optional(),
  cap_add: z.array(z.string()).default([]),
  // What only containers have.
  ports: z.array(z.string()).optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  shm_size: z.string().optional(),
  security_opt: z.array(z.string()).optional(),
})
const composeFile = z.looseObject({ services: z.record(z.string(), service) })

export async function readComposeFile(): Promise<ComposeService[]> {
  const text = await readFile(join(deployFolder, 'compose.yaml'), 'utf8')
  const { services } = composeFile.parse(parse(text, { merge: true }))
  return Promise.all(Object.entries(services).map(([name, given]) => serviceOf(name, given)))
}

/** The environment of its container. @param secrets the folder that stands for `secrets/` beside the compose file */
export async function settingsOfService({ env }: ComposeService, secrets: string): Promise<Record<string, string>> {
  const texts = env.files.map((path) => readFile(besideComposeFile(path, secrets), 'utf8'))
  const fromFiles = (await Promise.all(texts)).map((text) => parseEnv(text) as Record<string, string>)
  return Object.assign({}, env.image, ...fromFiles, env.own)
}

/** Where a path of the compose file is. */
export function besideComposeFile(path: string, secrets: string): string {
  const [, secret] = /^(?:\.\/)?secrets\/(.+)$/.exec(path) ?? []
  return secret === undefined ? resolve(deployFolder, path) : join(secrets, secret)
}

async function serviceOf(name: string, given: z.output<typeof service>): Promise<ComposeService> {
  const image = given.build === undefined ? { command: null, env: {} } : await readImage(given.build)
  const run = given.command ?? image.command
  if (run === null) throw new Error(`The service ${name} has no command.`)
  return {
    name,
    isDatabase: given.image.startsWith('docker.io/library/postgres:'),
    command: run,
    env: { image: image.env, files: given.env_file, own: given.environment },
    mounts: given.volumes.map(mountOf),
    networks: Object.fromEntries(
      Object.entries(given.networks).map(([network, { ipv4_address: address }]) => [network, address ?? null]),
    ),
    healthcheck: given.healthcheck.test.slice(1),
    stopSignal: given.stop_signal,
    stopGraceSeconds: Number.parseInt(given.stop_grace_period, 10),
    capabilities: given.cap_drop === undefined ? null : given.cap_add.map((each) => each.toLowerCase()),
  }
}

/** What an image gives its containers: ENV and CMD of the last stage of its Containerfile. */
async function readImage({ context, dockerfile }: { context: string; dockerfile: string }) {
  const text = await readFile(resolve(deployFolder, context, dockerfile), 'utf8')
  const [stage = ''] = text.split(/^FROM /m).slice(-1)
  const settings = [...stage.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) => line.split(' '))
  const [, run = 'null'] = /^CMD (\[.+\])$/m.exec(stage) ?? []
  return {
    command: command.nullable().parse(JSON.parse(run)),
    env: parseEnv(settings.join('\n')) as Record<string, string>,
  }
}

function mountOf(text: string): Mount {
  const [source = '', target = ''] = text.split(':')
  return { source, target }
}
