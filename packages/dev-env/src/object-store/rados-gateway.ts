/**
 * Ceph's object gateway on one machine, for tests: a monitor, a storage daemon that keeps everything in memory, and
 * the gateway, which speaks S3 and STS and really checks signatures. It is ready after about ten seconds.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { freePorts } from '../free-port.ts'
import { until } from '../until.ts'
import { callSigned } from './signed-call.ts'

export interface RadosGateway {
  /** Such as `http://127.0.0.1:40123`. */
  endpoint: string
  accessKey: string
  secretKey: string
  stop(): Promise<void>
}

const programs = ['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'monmaptool']

export function radosGatewayIsInstalled(): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin']
  return programs.every((program) => folders.some((folder) => existsSync(join(folder, program))))
}

/** @param folder an empty folder, with a path short enough for sockets in it (100 characters) */
export async function startRadosGateway(folder: string): Promise<RadosGateway> {
  const [monitorPort, port] = await freePorts(2)
  const clusterId = randomUUID()
  for (const name of ['mon', 'osd', 'rgw', 'run', 'log']) await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, 'ceph.conf'), configurationOf({ folder, clusterId, monitorPort, port }))
  const env = { ...process.env, CEPH_CONF: join(folder, 'ceph.conf') }
  const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { env, timeout: 60_000 })
  const tell = (...args: string[]) =>
    until(
      'the monitor takes commands',
      () =>
        run('ceph', ...args).then(
          () => true,
          (error: { stderr?: string }) => {
            if (error.stderr?.includes(monitorIsBusy)) return false
            throw error
          },
        ),
      60,
    )
  const daemons: ChildProcess[] = []
  const start = (program: string, ...args: string[]) =>
    daemons.push(spawn(program, ['-f', ...args], { env, stdio: 'ignore' }))
  const stop = () => endAll(daemons)

  try {
    const map = join(folder, 'monmap')
    await run('monmaptool', '--create', '--addv', 'a', `[v1:127.0.0.1:${monitorPort}]`, '--fsid', clusterId, map)
    await run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map)
    start('ceph-mon', '-i', 'a')
    const storageId = randomUUID()
    await tell('osd', 'new', storageId, '0')
    await run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', storageId)
    await tell('osd', 'crush', 'add', 'osd.0', '1.0', 'root=default', 'host=localhost')
    start('ceph-osd', '-i', '0')
    start('radosgw', '-n', 'client.rgw')
    const endpoint = `http://127.0.0.1:${port}`
    await until('the object gateway answers', () => answers(endpoint), 90)
    const keys = { accessKey: `TEST${randomBytes(8).toString('hex').toUpperCase()}`, secretKey: randomUUID() }
    const login = ['--access-key', keys.accessKey, '--secret-key', keys.secretKey]
    const user = ['--uid=test', '--display-name=test', '--caps=user-policy=*']
    await run('radosgw-admin', '-n', 'client.rgw', 'user', 'create', ...user, ...login)
    await allowSessionTokens(endpoint, keys)
    return { endpoint, ...keys, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The message of the program `ceph`, with EPERM, while a monitor that has just started is busy. */
const monitorIsBusy = 'problem getting command descriptions'

/** Without this policy the gateway issues no session tokens. */
async function allowSessionTokens(endpoint: string, keys: { accessKey: string; secretKey: string }): Promise<void> {
  const statement = { Effect: 'Allow', Action: ['s3:*', 'sts:*'], Resource: '*' }
  const policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
  const form = { Action: 'PutUserPolicy', UserName: 'test', PolicyName: 'sessions', PolicyDocument: policy }
  const body = new URLSearchParams({ ...form, Version: '2010-05-08' }).toString()
  await callSigned({ service: 'iam', method: 'POST', endpoint, path: '/', region: 'us-east-1', ...keys, body })
}

/** Kills the daemons: they keep everything in memory, so a clean end would save nothing. */
async function endAll(daemons: ChildProcess[]): Promise<void> {
  const ends = daemons.map(
    (daemon) =>
      new Promise<void>((resolve) => {
        if (daemon.exitCode !== null || daemon.signalCode !== null || daemon.pid === undefined) return resolve()
        daemon.once('exit', () => resolve())
        daemon.kill('SIGKILL')
      }),
  )
  await Promise.all(ends)
}

async function answers(endpoint: string): Promise<boolean> {
  return fetch(endpoint, { signal: AbortSignal.timeout(2000) }).then(
    ({ status }) => status === 200,
    () => false,
  )
}

interface Layout {
  folder: string
  clusterId: string
  monitorPort: number | undefined
  port: number | undefined
}

function configurationOf({ folder, clusterId, monitorPort, port }: Layout): string {
  return `
[global]
fsid = ${clusterId}
mon initial members = a
mon host = v1:127.0.0.1:${monitorPort}
public network = 127.0.0.0/8
auth cluster required = none
auth service required = none
auth client required = none
run dir = ${folder}/run
admin socket = ${folder}/run/$name.asok
pid file = ${folder}/run/$name.pid
log file = ${folder}/log/$name.log
mon cluster log file = ${folder}/log/cluster.log
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail warn = 2
mon data avail crit = 1
ms bind ipv6 = false
[mon]
mon data = ${folder}/mon
[osd]
osd objectstore = memstore
osd crush update on start = false
osd class update on start = false
memstore device bytes = 4294967296
osd data = ${folder}/osd
public addr = 127.0.0.1
cluster addr = 127.0.0.1
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw data = ${folder}/rgw
rgw enable usage log = false
rgw s3 auth use sts = true
rgw sts key = ${randomBytes(8).toString('hex')}
rgw dns name = localhost
keyring = /dev/null
`
}
