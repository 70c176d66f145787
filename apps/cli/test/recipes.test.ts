/** The recipes of docs/automation.md, run as they stand there, one after another, with an API token of an operator. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bootNetwork, freePort, type Network, repository, roomDraft, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../bundle.ts'

interface Recipe {
  title: string
  files: { name: string; text: string }[]
  scripts: string[]
}

const recipes = recipesIn(await readFile(join(repository, 'docs/automation.md'), 'utf8'))
/** Below the repository, so that what the recipes take from npm is found. */
const dir = join(repository, 'node_modules/.cache', `recipes-${randomUUID()}`)

let network: Network
let env: Record<string, string>
beforeAll(async () => {
  network = await bootNetwork({ regions: 2, env: { WEBHOOK_NETWORKS: '127.0.0.0/8' } })
  const operator = await network.as('CLOUD_OPERATOR')
  const { body } = await operator.call('createToken', { body: { name: 'Recipes', role: 'CLOUD_OPERATOR' } })
  await mkdir(join(dir, 'bin'), { recursive: true })
  await bundle(join(dir, 'bin/roomkeeper.mjs'))
  const program = `#!/bin/sh\nexec '${process.execPath}' '${dir}/bin/roomkeeper.mjs' "$@"\n`
  await writeFile(join(dir, 'bin/roomkeeper'), program, { mode: 0o755 })
  const receiverPort = String(await freePort())
  env = {
    PATH: `${dir}/bin:${process.env.PATH}`,
    HOME: dir,
    ROOMKEEPER_URL: network.server.address,
    ROOMKEEPER_TOKEN: body.token,
    RECEIVER_URL: `http://127.0.0.1:${receiverPort}`,
    RECEIVER_PORT: receiverPort,
  }
})
afterAll(async () => {
  const receiver = Number(await read('receiver.pid').catch(() => ''))
  if (receiver > 0) process.kill(receiver)
  await network?.stop()
  await rm(dir, { recursive: true, force: true })
})

/** What has to be there for a recipe to have something to do. */
const before: Record<string, () => Promise<void>> = {
  'Suspend what has expired': async () => {
    await network.newRoom({ tenantName: 'expired' })
    await network.database.rows(`update rooms set expiration_date = now() - interval '2 days' where name = 'expired'`)
  },
}

/** With what a recipe ends that is to fail; the others end with 0. */
const exitCodes: Record<string, number> = {
  'Back up before a change, put it back when the change fails': 1,
}

/** What each recipe brings about. */
const effects: Record<string, (printed: string) => Promise<void>> = {
  'Check the token before anything else': async (printed) => {
    expect(printed).toContain('cloud.operator@example.com')
    expect(printed).toContain('Recipes')
  },
  'Create a room from CI': async () => {
    const made = await roomNamed('acme')
    expect(made).toMatchObject({ projectRoomState: 'DEFAULT', companyName: 'Acme Ltd', edition: 'advanced' })
    expect(JSON.parse(await read('acme.json'))).toMatchObject({ tenantName: 'acme', licenses: { YAAV: 5 } })
  },
  'Keep rooms in a repository': async () => {
    for (const change of ['blue', 'Acme Limited']) expect(await read('changes.txt')).toContain(change)
    expect(await roomNamed('blue')).toMatchObject({ projectRoomState: 'DEFAULT', licenses: { YAAV: 10 } })
    expect(await roomNamed('acme')).toMatchObject({ companyName: 'Acme Limited', licenses: { YAAV: 5 } })
  },
  'Export the rooms every night': async () => {
    const lines = (await read(`rooms-${today()}.csv`)).trim().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines.join('\n')).toContain('Acme Limited')
  },
  'Suspend what has expired': async () => {
    expect(await roomNamed('expired')).toMatchObject({ projectRoomState: 'SUSPENDED' })
    // As its region has it: nothing else is to be found in the end.
    await network.database.rows(`update rooms set expiration_date = null where name = 'expired'`)
    expect(await roomNamed('acme')).toMatchObject({ projectRoomState: 'DEFAULT' })
  },
  'Move a customer to another region': async () => {
    expect(await roomNamed('acme')).toMatchObject({ projectRoomState: 'DEFAULT', region: 2 })
  },
  'Back up before a change, put it back when the change fails': async (printed) => {
    expect(printed).toContain('The change of acme went wrong.')
    expect(await roomNamed('acme')).toMatchObject({ projectRoomState: 'DEFAULT' })
    const done = await network.database.rows<{ kind: string }>(
      `select kind from operations where room_name = 'acme' and state = 'done'
          and kind in ('room.backup', 'room.restore') order by kind`,
    )
    expect(done.map(({ kind }) => kind)).toEqual(['room.backup', 'room.restore'])
  },
  'Be told when something fails': async () => {
    const [step] = await network.database.rows<{ id: string }>(
      `select steps.step_id as id from operation_steps steps join operations o on o.id = steps.operation_id
        where o.kind = 'room.create' limit 1`,
    )
    await until('the receiver listens', () =>
      fetch(String(env.RECEIVER_URL)).then(
        () => true,
        () => false,
      ),
    )
    await sendToReceiver('content-length: 100', 'cut off')
    await sendToReceiver(`content-length: ${2 ** 21}`, 'a'.repeat(2 ** 21))
    const unsigned = await fetch(String(env.RECEIVER_URL), { method: 'POST', body: '{}' })
    expect(unsigned.status).toBe(401)
    await network.planFault(`room.create:${step?.id}:before:fail`)
    await network.admin.call('createRoom', { body: roomDraft({ tenantName: 'unlucky' }) })
    await until('the alarm has come', async () => (await read('alarms.txt').catch(() => '')).includes('unlucky'))
    expect(await read('alarms.txt')).toContain('operation.failed')
  },
  'Try again what failed in an outage': async () => {
    expect(await roomNamed('unlucky')).toMatchObject({ projectRoomState: 'DEFAULT' })
  },
  'Let a nightly job fail when console and regions disagree': async () => {
    expect((await read('findings.csv')).trim().split('\n')).toHaveLength(1)
  },
}

test('there are ten recipes, and each of them is looked at here', () => {
  expect(recipes.map(({ title }) => title)).toEqual(Object.keys(effects))
  expect(recipes).toHaveLength(10)
})

test.each(recipes)('$title', { timeout: 120_000 }, async ({ title, files, scripts }) => {
  await before[title]?.()
  for (const { name, text } of files) await writeFile(join(dir, name), text)
  let printed = ''
  for (const script of scripts) printed += await run(script, exitCodes[title] ?? 0)
  await effects[title]?.(printed)
})

test('no recipe has left the token in a file', async () => {
  const search = promisify(execFile)('grep', ['-rlF', String(env.ROOMKEEPER_TOKEN), dir])
  await expect(search).rejects.toMatchObject({ code: 1, stdout: '' })
})

/** The sections that have a number. A block with a name is a file, another one of `sh` a script. */
function recipesIn(text: string): Recipe[] {
  const sections = text.split(/^## /m).flatMap((section) => {
    const [first = '', ...content] = section.split('\n')
    return /^\d+\. /.test(first) ? [{ title: first.replace(/^\d+\. /, ''), content: content.join('\n') }] : []
  })
  return sections.map(({ title, content }) => {
    const blocks = [...content.matchAll(/^```(\w+)(?: ([\w.-]+))?\n(.*?)^```$/gms)]
    return {
      title,
      files: blocks.flatMap(([, , name, block = '']) => (name === undefined ? [] : [{ name, text: block }])),
      scripts: blocks.flatMap(([, kind, name, block = '']) => (kind === 'sh' && name === undefined ? [block] : [])),
    }
  })
}

/** @returns what it has printed @throws Error with what it has printed, when it ends with another exit code */
async function run(script: string, exitCode: number): Promise<string> {
  const running = promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: dir, env })
  const { stdout, stderr, code } = await running.then(
    (said) => ({ ...said, code: 0 }),
    (error) => error,
  )
  if (code === exitCode) return stdout + stderr
  throw new Error(`It ended with ${code}: ${stdout}${stderr}`)
}

/** Sends that much of a request, and resolves when the receiver has closed the connection. */
async function sendToReceiver(header: string, body: string): Promise<void> {
  const { hostname, port } = new URL(String(env.RECEIVER_URL))
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.resume().end(`POST / HTTP/1.1\r\nhost: receiver\r\n${header}\r\n\r\n${body}`)
  await closed
}

function read(name: string): Promise<string> {
  return readFile(join(dir, name), 'utf8')
}

async function roomNamed(name: string) {
  return (await network.admin.call('room', { query: { projectRoom: name } })).body
}

/** As `date +%F`. */
function today(): string {
  return new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}
