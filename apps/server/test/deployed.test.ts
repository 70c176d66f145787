/** deploy/compose.yaml, run without containers: everything through its proxy, while one part after another is killed. */
import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { type ClientHttp2Session, connect } from 'node:http2'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { ProblemError, routes } from '@roomkeeper/contract'
import {
  callDoctor,
  type Deployment,
  openOperations,
  registerRegion,
  repository,
  roomDraft,
  type SignedInClient,
  sendUpload,
  signIn,
  startDeployment,
  until,
} from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alertRules, dashboardQueries, figuresIn } from './monitoring-figures.ts'

let deployed: Deployment
let admin: SignedInClient
let pool: pg.Pool
const trusted = getCACertificates('default')
const rows = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows
const settle = () =>
  until('all operations have ended', async () => (await openOperations({ rows }).catch(() => 1)) === 0, 120)

// shows: deploy-compose
describe.skipIf(!existsSync('/usr/sbin/haproxy'))('what compose.yaml describes', () => {
  beforeAll(async () => {
    deployed = await startDeployment()
    setDefaultCACertificates([...trusted, deployed.certificate])
    admin = await signIn(() => deployed.address, deployed.administrator)
    for (const region of deployed.regions) await registerRegion(admin, region)
    pool = new pg.Pool({ connectionString: deployed.databaseUrl, max: 2 })
    pool.on('error', () => undefined)
  })
  afterAll(async () => {
    await pool?.end()
    await deployed?.stop()
    setDefaultCACertificates(trusted)
  })

  // First: after the others it would take until the proxy notices that streams of theirs are gone.
  it('the proxy takes a new certificate without a restart, and leaves nothing behind that shows the former one', async () => {
    const folder = join(deployed.secrets, 'renewed')
    await promisify(execFile)(join(repository, 'deploy/make-secrets.sh'), [new URL(deployed.address).host, folder])
    const renewed = await readFile(join(folder, 'proxy/certificate.pem'), 'utf8')
    for (const [index, certificate] of [renewed, deployed.certificate].entries()) {
      await writeFile(join(folder, 'next.pem'), certificate)
      await rename(join(folder, 'next.pem'), join(deployed.secrets, 'proxy/certificate.pem'))
      deployed.process('proxy').signal('SIGUSR2')
      const ended = () =>
        deployed
          .process('proxy')
          .output()
          .match(/Former worker .*exited with code 0/g) ?? []
      await until('the former worker has ended', async () => ended().length > index)
      expect(await certificateShown()).toBe(new X509Certificate(certificate).fingerprint256)
    }
    expect(deployed.process('proxy').starts()).toBe(1)
  })

  it('a room is created, backed up, restored from an upload, moved and exported, and everybody sees it live', async () => {
    const events = followEvents()
    const body = roomDraft()
    const roomName = body.tenantName
    await admin.call('createRoom', { body })
    // Before anything else happens on the stream: the proxy does not hold it back.
    await until('its creation is told', async () => events.rooms().has(roomName))
    await settle()
    await admin.call('suspendRoom', { body: { roomName, userNotification: false } })
    await admin.call('backupRoom', { query: { projectRoomName: roomName, isD2O: false } })
    await settle()
    const [backup] = (await admin.call('roomBackups', { query: { projectRoom: roomName } })).body
    const content = await admin.open('roomBackupContent', { params: { id: backup?.id ?? '' } })
    const zip = new Uint8Array(await content.arrayBuffer())
    expect(zip).toHaveLength(backup?.size ?? 0)
    const { tmpFileName } = await sendUpload(
      deployed.address,
      'uploadBackup',
      { name: 'a.zip', content: zip },
      admin.token,
    )
    await admin.call('restoreRoom', { body: { projectRoom: { tenantName: roomName }, tmpFileName } })
    await settle()
    await admin.call('resumeRoom', { body: { roomName, userNotification: false } })

    const { id } = (await admin.call('saveLiveMigration', { body: { sourceRegion: 1, targetRegion: 2 } })).body
    const run = { liveMigrationData: { id }, selectedRooms: [roomName], skippActiveSessions: false }
    await admin.call('startLiveMigration', { body: run })
    await settle()
    expect((await admin.call('room', { query: { projectRoom: roomName } })).body).toMatchObject({
      region: 2,
      projectRoomState: 'DEFAULT',
    })
    expect(await (await admin.open('exportRooms', {})).text()).toContain(roomName)
    events.stop()
  })

  it('the audit trail has the address of the client behind the proxy, whatever the client claims', async () => {
    const client = '127.77.77.77'
    await signInFrom(client, { email: 'nobody@example.com', password: 'a wrong one' })
    const { data } = (await admin.call('audit', { query: { action: 'operator.sign-in-failed' } })).body
    expect(data[0]).toMatchObject({ actor: 'nobody@example.com', detail: expect.stringContaining(`from ${client}`) })
    // Directly to the API, as a machine in the same network can.
    await fetch(`http://${deployed.settingsOf('api-1').HOST}:8080/api/operator/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' },
      body: JSON.stringify({ email: 'somebody@example.com', password: 'a wrong one' }),
    })
    const entries = (await admin.call('audit', { query: { action: 'operator.sign-in-failed' } })).body.data
    expect(entries[0]).toMatchObject({ actor: 'somebody@example.com', detail: 'from 127.0.0.1' })
  })

  it('the proxy passes no metrics on, and leads to TLS', async () => {
    const paths = ['/metrics', '//metrics', '/metrics/', '/%6Detrics?a=b']
    const answers = await Promise.all(paths.map((path) => fetch(deployed.address + path)))
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404))
    const api = await fetch(`http://${deployed.settingsOf('api-1').HOST}:8080/metrics`)
    expect(api.status).toBe(404)
    const own = await fetch(`http://${deployed.settingsOf('worker-1').HOST}:8081/metrics`)
    expect(await own.text()).toContain('roomkeeper_workers{lease="fresh"} 2')
    const plain = await fetch(deployed.address.replace('https', 'http').replace('8443', '8080'), { redirect: 'manual' })
    expect(plain.status).toBe(308)
    expect(plain.headers.get('location')).toMatch(/^https:/)
  })

  it('every figure of the alert rules and of the dashboard is served', async () => {
    const queries = [...(await alertRules()).map(({ expr }) => expr), ...(await dashboardQueries())]
    const answer = await fetch(`http://${deployed.settingsOf('api-1').HOST}:8081/metrics`)
    const served = [...(await answer.text()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)
    expect(figuresIn(queries.join('\n')).filter((name) => !served.includes(name))).toEqual([])
  })

  it('what a killed API process has not answered is answered by the other, unless it may not be done twice', async () => {
    const apis = ['api-1', 'api-2'].map((name) => deployed.process(name))
    for (const each of apis) await each.freeze()
    // The proxy gives them to the one with fewer calls, so each gets some of either sort.
    const browser = connect(deployed.address, { ca: deployed.certificate })
    const unsafe = Promise.all(Array.from({ length: 4 }, () => signInByHttp2(browser)))
    await until('they have them', async () => (await callsBeforeApis()) >= 4 + checksAtOnce)
    const bodies = Array.from({ length: 4 }, () => roomDraft())
    const withKey = bodies.map((body) => ({ body, headers: { 'idempotency-key': body.tenantName } }))
    const safe = Promise.all([
      ...withKey.map((call) => admin.call('createRoom', call)),
      ...withKey.map(() => admin.call('regions', {})),
    ])
    safe.catch(() => undefined)
    await until('they have those too', async () => (await callsBeforeApis()) >= 12 + checksAtOnce)
    await deployed.process('api-2').thaw()
    await deployed.process('api-1').kill()
    await safe
    const statuses = await unsafe
    browser.close()
    expect(new Set(statuses)).toEqual(new Set([200, 502]))
    await deployed.healthy('api-1')
    await settle()
    // A ticket or the name of a room has no place in a log.
    expect(deployed.process('proxy').output()).not.toMatch(/\/api\/|\?/)
  })

  it('nothing is lost or stuck, and calls go on, while one of each is killed', async () => {
    const events = followEvents()
    const work = startWork()
    for (const victim of ['api-1', 'worker-1', 'region-1']) {
      await work.goesOn()
      await deployed.process(victim).kill()
    }
    await work.goesOn()
    for (const each of deployed.services) await deployed.healthy(each)
    work.isWithoutDatabase = true
    await deployed.process('database').kill()
    await work.goesOn()
    await work.stop()
    await settle()
    expect(work.failed).toEqual([])
    const found = (await rows('select name, state from rooms')) as { name: string; state: string }[]
    const states = new Map(found.map(({ name, state }) => [name, state]))
    expect(work.created.map((name) => [name, states.get(name)])).toEqual(work.created.map((name) => [name, 'DEFAULT']))
    await until('each creation was told', async () => work.created.every((name) => events.rooms().has(name)))
    events.stop()
    expect((await callDoctor(deployed.settingsOf('api-1'))).findings).toEqual([])
    expect(deployed.process('proxy').starts()).toBe(1)
  }, 240_000)
})

/** @returns the fingerprint of what the proxy shows on a new connection; null: there was none */
async function certificateShown(): Promise<string | null> {
  const { hostname, port } = new URL(deployed.address)
  const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerX509Certificate()?.fingerprint256 ?? null
  } catch {
    return null
  } finally {
    socket.destroy()
  }
}

/** The proxy asks each of the two whether it is ready, and whether it is alive. */
const checksAtOnce = 4

/** How many connections of the API processes, which are frozen, hold something that they have not read. */
async function callsBeforeApis(): Promise<number> {
  const hosts = ['api-1', 'api-2'].map((name) => deployed.settingsOf(name).HOST ?? '')
  const ends = hosts.map((host) => `${Buffer.from(host.split('.').map(Number).reverse()).toString('hex')}:1f90`)
  const lines = (await readFile('/proc/net/tcp', 'utf8')).toLowerCase().split('\n')
  // Number, own end, other end, state, lengths of both queues.
  const fields = lines.map((line) => line.trim().split(/\s+/))
  return fields.filter(([, own = '', , , queues = '']) => ends.includes(own) && !queues.endsWith(':00000000')).length
}

/** A call that may not be done twice, as far as the proxy knows, from a browser. @returns the status */
async function signInByHttp2(browser: ClientHttp2Session): Promise<number> {
  const { method, path } = routes.signIn
  const sent = browser.request({ ':method': method, ':path': path, 'content-type': 'application/json' })
  sent.end(JSON.stringify(deployed.administrator))
  const [headers] = await once(sent, 'response')
  sent.resume()
  return headers[':status']
}

/** Creates a room after the other and reads the list beside it, as consoles do. */
function startWork() {
  const over = new AbortController()
  const work = { created: [] as string[], read: 0, failed: [] as unknown[], isWithoutDatabase: false, goesOn, stop }
  const creating = repeat(async () => {
    const body = roomDraft({ region: 1 + (work.created.length % 2) })
    await untilTaken(() => admin.call('createRoom', { body, headers: { 'idempotency-key': body.tenantName } }))
    work.created.push(body.tenantName)
  })
  const reading = repeat(async () => {
    await untilTaken(() => admin.call('listRooms', { query: { size: 5 } }))
    work.read += 1
  })
  return work

  async function repeat(task: () => Promise<void>): Promise<void> {
    while (!over.signal.aborted) {
      await task()
      await pause(100)
    }
  }

  /** Only a database that is away may be told, and then the same call is made again. */
  async function untilTaken(call: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await call()
        return
      } catch (error) {
        // Not the proxy's 503, which would not say why.
        const isTold = error instanceof ProblemError && ['database-unreachable', 'database-busy'].includes(error.code)
        if (!isTold || !work.isWithoutDatabase) work.failed.push(error)
        await pause(100)
      }
    }
  }

  async function goesOn(): Promise<void> {
    const { length } = work.created
    const { read } = work
    await until('rooms are created and read', async () => work.created.length > length + 1 && work.read > read + 3, 90)
  }

  async function stop(): Promise<void> {
    over.abort()
    await Promise.all([creating, reading])
  }
}

/** Follows the stream of events as the console does: when it ends, it goes on where it was, at whatever process. */
function followEvents() {
  const over = new AbortController()
  const rooms = new Set<string>()
  let last: string | undefined
  const follow = async () => {
    const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last }
    const answer = await admin.open('events', { headers, signal: over.signal })
    let text = ''
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString()
      const whole = text.split('\n\n')
      text = whole.pop() ?? ''
      for (const each of whole) {
        last = /^id: (.+)$/m.exec(each)?.[1] ?? last
        const { room } = JSON.parse(/^data: (.+)$/m.exec(each)?.[1] ?? '{}') as { room?: string }
        if (room !== undefined) rooms.add(room)
      }
    }
  }
  void (async () => {
    while (!over.signal.aborted) {
      await follow().catch(() => undefined)
      await pause(200)
    }
  })()
  return { rooms: () => rooms, stop: () => over.abort() }
}

async function signInFrom(localAddress: string, account: { email: string; password: string }): Promise<void> {
  const sent = request(`${deployed.address}/api/operator/session`, {
    method: 'POST',
    localAddress,
    ca: deployed.certificate,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' },
  })
  sent.end(JSON.stringify(account))
  const [answer] = await once(sent, 'response')
  answer.resume()
  expect(answer.statusCode).toBe(401)
}
