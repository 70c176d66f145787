/** What scripts and people rely on: exit codes, what goes where, questions, shapes of output. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { bootNetwork, freePort, type Network, seedRooms, startPathProxy, until } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cli, openCli } from './cli-under-test.ts'
import { openTerminal } from './open-terminal.ts'

let network: Network
let cli: Cli
let env: { ROOMKEEPER_URL: string; ROOMKEEPER_TOKEN: string }

beforeAll(async () => {
  network = await bootNetwork()
  env = { ROOMKEEPER_URL: network.server.address, ROOMKEEPER_TOKEN: network.admin.token }
  cli = await openCli(env)
})
afterAll(async () => {
  await cli?.remove()
  await network?.stop()
})

const call = (line: string, more: Record<string, string> = {}) => cli.call(line.split(' '), { env: more })
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1) ?? ''

describe('exit codes', () => {
  // shows: cli-exit-codes
  test('1: the server says no; its field errors stand at the flags, with the id of the request', async () => {
    const refused = await call('rooms create abc1 --product ARIS --edition basic --region region-1')
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(/^roomkeeper: Invalid input/)
    expect(refused.err).toContain('  --customer-email: Please enter the owner e-mail.\n')
    expect(refused.err).toMatch(/\(request [0-9a-f-]{36}\)/)
  })

  // shows: cli-exit-codes
  test('1: what the contract forbids is refused in the same words before it is sent', async () => {
    const refused = await call('rooms create abc1 --region region-1 --customer-email nobody --licence YABD=1 -o json')
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(JSON.parse(lastLine(refused.err))).toMatchObject({
      error: { kind: 'refused', exitCode: 1, code: 'invalid-input', errors: [{ field: 'customerEmail' }] },
    })
  })

  // shows: cli-exit-codes
  test('1: a role may not do it', async () => {
    const support = await network.as('CLOUD_SUPPORT')
    const refused = await call('rooms suspend nothing', { ROOMKEEPER_TOKEN: support.token })
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Your role does not allow this.') })
  })

  // shows: cli-exit-codes
  test('2: a wrong word comes with the one that was meant', async () => {
    expect(await call('romms list')).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean rooms?') })
    expect(await call('rooms list --serch x')).toMatchObject({ code: 2, err: expect.stringContaining('--search') })
    const error = JSON.parse((await call('rooms list --serch x -qo json')).err)
    expect(error).toMatchObject({ error: { kind: 'usage', exitCode: 2 } })
  })

  test('2: an empty text, or a name that does not exist, chooses no rooms', async () => {
    const choices = ['--search=', '--filter=tenantName^=', '--filter=tenantName!=', '--region=']
    // Rooms without labels would be chosen, too.
    const labels = ['--label=', '--label=VIP,', '--label=,VIP', '--label=VIP||', '--add=VIP,']
    for (const choice of [...choices, ...labels])
      expect(await call(`bulk start suspend --yes ${choice}`), choice).toMatchObject({ code: 2, out: '' })
    expect(await cli.call(['migrate', 'start', '1', '--search', ''])).toMatchObject({ code: 2 })
    for (const line of [
      'bulk start suspend --all --except nobody1 --dry-run',
      'migrate start 1 --all --except nobody1',
    ])
      expect(await call(line), line).toMatchObject({ code: 1, err: expect.stringContaining('named nobody1') })
  })

  test('2: what is not UTF-8 is not read', async () => {
    const input = Buffer.from('[{ tenantName: abc1, companyName: M\u00fcller }]', 'latin1')
    const said = await cli.call(['rooms', 'apply', '-f', '-', '--dry-run'], { input })
    expect(said).toMatchObject({ code: 2, err: expect.stringContaining('stdin is not UTF-8') })
  })

  test('1: a licence count that is too small is refused in the words of the console', async () => {
    const tenantName = await network.newRoom()
    const input = JSON.stringify({ tenantName, sapNumberLast: `small ${tenantName}`, licenses: { YABD: -1 } })
    const said = await cli.call(['rooms', 'apply', '-f', '-', '--yes'], { input })
    const err = expect.stringContaining('Designer license must be more or equal to 1')
    expect(said).toMatchObject({ code: 1, err })
  })

  // shows: cli-exit-codes
  test('3: nobody answers', async () => {
    const closed = await freePort()
    const gone = await call('regions list', { ROOMKEEPER_URL: `http://127.0.0.1:${closed}` })
    expect(gone).toMatchObject({ code: 3, err: expect.stringContaining('nothing answers at this address') })
  })

  // shows: cli-exit-codes
  test('4: the operation fails, and how to go on is said', async () => {
    await network.planFault('room.create:check-room:before:fail')
    const failed = await cli.call([...creationOf('failing1'), '--wait'])
    expect(failed).toMatchObject({ code: 4, err: expect.stringContaining('Creating failing1 failed: ') })
    expect(failed.err).toMatch(/roomkeeper operations logs [0-9a-f-]{36}/)
  })

  // shows: cli-exit-codes
  test('124 and 130: nobody waits any more, the operation goes on, and can be cancelled', async () => {
    await network.planFault('room.create:check-room:after:hold')
    const late = await cli.call([...creationOf('held1'), '--timeout', '1s'])
    expect(late).toMatchObject({ code: 124, err: expect.stringContaining('The operation goes on.') })
    const [, id = ''] = /operations cancel ([0-9a-f-]{36})/.exec(late.err) ?? []
    const logs = await call('operations list -o json')
    expect(JSON.parse(logs.out)).toMatchObject([{ operationId: id, projectRoomName: 'held1' }])
    const cancelled = await call(`operations cancel ${id} --wait`)
    expect(cancelled).toMatchObject({ code: 0 })

    await network.planFault('room.create:check-room:after:hold')
    const waiting = cli.begin([...creationOf('held2'), '--wait'])
    await until('the operation is held', () => network.faultHappened())
    await waiting.untilSaid('held2: ')
    waiting.interrupt()
    const stopped = await waiting.ended
    expect(stopped).toMatchObject({
      code: 130,
      err: expect.stringContaining('Stopped waiting. The operation goes on.'),
    })
    const [, second = ''] = /operations cancel ([0-9a-f-]{36})/.exec(stopped.err) ?? []
    expect(await call(`operations cancel ${second} --wait -o json`)).toMatchObject({ code: 0 })
  })
})

test('70: a mistake of the program itself is told programs as JSON, too', async () => {
  const mistake = encodeURIComponent(`URL.canParse = () => { throw new RangeError('mistaken') }`)
  const env = { NODE_OPTIONS: `--import data:text/javascript,${mistake}`, ROOMKEEPER_URL: 'http://127.0.0.1:9' }
  const mistaken = (line: string) => cli.start(line.split(' '), { env }).ended
  const forPeople = await mistaken('rooms list')
  expect(forPeople).toMatchObject({ code: 70, out: '', err: expect.stringContaining('Please report it.') })
  const { code, out, err } = await mistaken('rooms list -o json')
  expect({ code, out }).toEqual({ code: 70, out: '' })
  const { error } = JSON.parse(lastLine(err))
  expect(error).toMatchObject({ kind: 'bug', exitCode: 70, message: expect.stringContaining('RangeError: mistaken') })
})

describe('questions', () => {
  // shows: cli-no-prompt
  test('without a terminal nothing is asked: the flag is named', async () => {
    await network.newRoom()
    for (const line of ['rooms delete any', 'rooms restore any --file any.zip', 'bulk start delete --all'])
      expect(await call(line), line).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
    expect(await call('login')).toMatchObject({ code: 2, err: expect.stringContaining('--with-token') })
  })

  test('on a terminal, a deletion says on which server, and wants the name', async () => {
    await network.newRoom({ tenantName: 'asked1' })
    const refused = await asked('rooms delete asked1', 'asked2\n')
    expect(refused).toContain(`${env.ROOMKEEPER_URL}: Type asked1 to delete it`)
    expect(refused).toContain('nothing was changed')
    expect((await call('rooms get asked1')).code).toBe(0)
    expect(await asked('rooms delete asked1 --wait', 'asked1\n')).toContain('asked1 was deleted')
  })

  test('on a terminal, a purge wants the name, too', async () => {
    await network.newRoom({ tenantName: 'purged1' })
    await call('rooms delete purged1 --yes --wait')
    expect(await asked('rooms deleted purge purged1', 'purged2\n')).toContain('nothing was changed')
    expect((await call('rooms deleted list --search purged1 -q')).out).not.toBe('')
    expect(await asked('rooms deleted purge purged1 --wait', 'purged1\n')).toContain('Nothing is left of purged1')
  })

  test.runIf(existsSync('/usr/bin/script'))('the token is asked for and not shown', async () => {
    const config = join(cli.dir, 'asked')
    const { shown, type, ended } = await openTerminal(cli, `login --url ${env.ROOMKEEPER_URL}`, { env, config })
    await until('it asks', async () => shown().includes('not shown): '))
    type(`${env.ROOMKEEPER_TOKEN}\n`)
    await ended
    const said = shown()
    expect(said).toContain('Signed in to')
    expect(said).not.toContain(env.ROOMKEEPER_TOKEN)
  })
})

describe('the stored login', () => {
  const ofNobody = { ROOMKEEPER_URL: '', ROOMKEEPER_TOKEN: '' }

  test('an API token signs in, is kept for its user alone, and is forgotten', async () => {
    const { body: made } = await network.admin.call('createToken', { body: { name: 'CI', role: 'CLOUD_SALES' } })
    const more = { ...ofNobody, XDG_CONFIG_HOME: join(cli.dir, 'config') }
    const args = ['login', '--url', env.ROOMKEEPER_URL, '--with-token']
    const said = await cli.call(args, { env: more, input: `${made.token}\n` })
    expect(said).toMatchObject({ code: 0, out: '', err: expect.stringContaining('(CLOUD_SALES)') })
    const path = join(cli.dir, 'config/roomkeeper/config.json')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700)

    const who = JSON.parse((await call('whoami -o json', more)).out)
    expect(who).toMatchObject({ url: env.ROOMKEEPER_URL, role: 'CLOUD_SALES', token: { name: 'CI' } })
    const elsewhere = await call('whoami', { ...more, ROOMKEEPER_URL: 'http://127.0.0.1:9' })
    expect(elsewhere).toMatchObject({ code: 2, err: expect.stringContaining('ROOMKEEPER_TOKEN') })
    expect((await call('whoami -q', { ...more, ROOMKEEPER_TOKEN: env.ROOMKEEPER_TOKEN })).out).toBe('admin@localhost\n')

    expect((await call('logout', more)).code).toBe(0)
    expect(await call('whoami', more)).toMatchObject({ code: 2, err: expect.stringContaining('roomkeeper login') })
    expect(cli.transcript()).not.toContain(made.token)
  })

  test('each server has a profile, one of which is the current one', async () => {
    const more = { ...ofNobody, XDG_CONFIG_HOME: join(cli.dir, 'profiles') }
    const proxy = await startPathProxy()
    proxy.target = env.ROOMKEEPER_URL
    const login = (line: string) =>
      cli.call(`login --with-token --url ${line}`.split(' '), { env: more, input: env.ROOMKEEPER_TOKEN })
    const serverOf = async (line: string) => JSON.parse((await call(`${line} --json url`, more)).out)
    expect(await login(env.ROOMKEEPER_URL)).toMatchObject({
      code: 0,
      err: expect.stringContaining('Stored as default'),
    })
    expect(await login(proxy.url)).toMatchObject({ code: 2, err: expect.stringContaining('The profile default is at') })
    const second = await login(`${proxy.url} --profile staging`)
    expect(second).toMatchObject({ code: 0, err: expect.stringContaining('roomkeeper profiles use staging') })

    expect(await serverOf('whoami')).toEqual({ url: env.ROOMKEEPER_URL })
    expect(await serverOf('whoami --profile staging')).toEqual({ url: proxy.url })
    const missing = await call('rooms deleted restore nosuchroom --profile staging', more)
    expect(missing.err).toContain('roomkeeper --profile staging rooms deleted list')
    expect((await call('profiles list -q', more)).out).toBe('default\nstaging\n')
    const unknown = expect.stringMatching(
      /There is no profile stagin\. Is it staging\?\n +Profiles: default, staging\./,
    )
    for (const line of ['whoami --profile stagin', 'profiles use stagin', 'logout --profile stagin'])
      expect(await call(line, more), line).toMatchObject({ code: 2, out: '', err: unknown })
    expect(await call('whoami --profile ../x', more)).toMatchObject({ code: 2 })

    expect(await call('profiles use staging', more)).toMatchObject({ code: 0 })
    expect(await serverOf('whoami')).toEqual({ url: proxy.url })
    const path = join(more.XDG_CONFIG_HOME, 'roomkeeper/config.json')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const listed = await call('profiles list -o json', more)
    expect(JSON.parse(listed.out)).toEqual([
      { profile: 'default', url: env.ROOMKEEPER_URL, isCurrent: false },
      { profile: 'staging', url: proxy.url, isCurrent: true },
    ])

    expect(await call('logout', more)).toMatchObject({ code: 0 })
    const without = { code: 2, err: expect.stringContaining('No profile is the current one') }
    for (const line of ['whoami', 'logout']) expect(await call(line, more), line).toMatchObject(without)
    expect(await login(proxy.url)).toMatchObject(without)
    const token = { ...more, ROOMKEEPER_TOKEN: env.ROOMKEEPER_TOKEN }
    expect(await call('whoami', token)).toMatchObject(without)
    expect(await call('logout --profile default', more)).toMatchObject({ code: 0 })
    expect(existsSync(path)).toBe(false)
    await proxy.stop()
  })

  test('logins at the same time are all stored, also after one that was killed while it stored its own', async () => {
    const more = { ...ofNobody, XDG_CONFIG_HOME: join(cli.dir, 'at-once') }
    const lock = join(more.XDG_CONFIG_HOME, 'roomkeeper/config.json.lock')
    await mkdir(lock, { recursive: true })
    const killed = new Date(Date.now() - 60_000)
    await utimes(lock, killed, killed)
    const names = ['one', 'two', 'three', 'four']
    const login = (name: string) =>
      cli.call(['login', '--with-token', '--profile', name, '--url', env.ROOMKEEPER_URL], {
        env: more,
        input: env.ROOMKEEPER_TOKEN,
      })
    expect((await login('first')).code).toBe(0)
    for (const { code, err } of await Promise.all(names.map(login))) expect(code, err).toBe(0)
    const listed = (await call('profiles list -q', more)).out.trim().split('\n')
    expect(listed.toSorted()).toEqual(['first', ...names].toSorted())
    expect(existsSync(lock)).toBe(false)
  })

  test('the environment wins over stored logins, and a profile that it would hide is refused', async () => {
    const more = { XDG_CONFIG_HOME: join(cli.dir, 'hidden') }
    const args = ['login', '--with-token', '--profile', 'staging', '--url', env.ROOMKEEPER_URL]
    expect(await cli.call(args, { env: more, input: env.ROOMKEEPER_TOKEN })).toMatchObject({ code: 0 })
    expect((await call('whoami', { ...more, ROOMKEEPER_URL: 'http://127.0.0.1:9' })).code).toBe(3)
    const refused = await call('rooms delete any --yes --profile staging', more)
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('win over the profile staging') })
    const otherToken = await call('whoami --profile staging', { ...more, ROOMKEEPER_URL: '' })
    expect(otherToken).toMatchObject({
      code: 2,
      err: expect.stringContaining('ROOMKEEPER_TOKEN is set, and would win'),
    })
  })

  test('a file of logins that cannot be read is not replaced, because it may hold tokens', async () => {
    const folder = join(cli.dir, 'foreign/roomkeeper')
    const more = { ...ofNobody, XDG_CONFIG_HOME: join(folder, '..') }
    await mkdir(folder, { recursive: true })
    for (const content of ['{"url":"https://a.example"}', '{', '{"current":"__proto__","profiles":{}}']) {
      await writeFile(join(folder, 'config.json'), content)
      expect(await call('whoami', more), content).toMatchObject({ code: 2, out: '' })
    }
    await writeFile(join(folder, 'config.json'), '{')
    const args = ['login', '--url', env.ROOMKEEPER_URL, '--with-token']
    const refused = { code: 2, err: expect.stringContaining("Remove it, then run 'roomkeeper login'.") }
    expect(await cli.call(args, { env: more, input: env.ROOMKEEPER_TOKEN })).toMatchObject(refused)
    expect(await readFile(join(folder, 'config.json'), 'utf8')).toBe('{')
  })

  test('the address of a server may have a path, and nothing behind it', async () => {
    const proxy = await startPathProxy()
    proxy.target = env.ROOMKEEPER_URL
    const more = { ...ofNobody, XDG_CONFIG_HOME: join(cli.dir, 'below-a-path') }
    const login = (url: string) =>
      cli.call(['login', '--url', url, '--with-token'], { env: more, input: env.ROOMKEEPER_TOKEN })
    expect(await login(`${proxy.url}/?x=1`)).toMatchObject({ code: 2, err: expect.stringContaining(proxy.url) })
    expect(await login(`${proxy.url}/`)).toMatchObject({ code: 0 })
    expect(JSON.parse((await call('whoami -o json', more)).out)).toMatchObject({ url: proxy.url })
    expect((await call('regions list -q', more)).out).toBe('region-1\n')
    await proxy.stop()
  })

  test('without https the token goes to this machine only, unless that is allowed', async () => {
    const { port } = new URL(env.ROOMKEEPER_URL)
    const other = `http://0.0.0.0:${port}`
    const refused = await call('whoami', { ROOMKEEPER_URL: other })
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('ROOMKEEPER_ALLOW_HTTP=1') })
    const input = `${env.ROOMKEEPER_TOKEN}\n`
    expect(await cli.call(['login', '--url', other, '--with-token'], { input })).toMatchObject({ code: 2 })
    expect((await call('whoami', { ROOMKEEPER_URL: other, ROOMKEEPER_ALLOW_HTTP: '1' })).code).toBe(0)
  })

  test('a redirect is not followed with the token', async () => {
    const seen: string[] = []
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization ?? '')
      response.writeHead(307, { location: `${env.ROOMKEEPER_URL}${request.url}` }).end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const said = await call('whoami', { ROOMKEEPER_URL: url })
    other.close()
    expect(said).toMatchObject({ code: 3, err: expect.stringContaining(env.ROOMKEEPER_URL) })
    expect(seen).toHaveLength(1)
  })
})

describe('output', () => {
  // shows: cli-output
  test('JSON has the same fields in the same order in every release; new ones may follow', async () => {
    const region = await network.admin.call('regions', {})
    await network.newRoom({ tenantName: 'shape1', companyName: 'Example, Inc.' })
    const listed = (await call('rooms list --filter tenantName=shape1 -o json')).out
    expect(listed.split('\n')).toHaveLength(4)
    const [, row = ''] = listed.split('\n')
    expect(row.replace(/"\d{4}-[^"]+Z"/, '"(time)"')).toMatchInlineSnapshot(
      `"{"product":"ARIS","tenantName":"shape1","edition":"basic","customerFirstName":"Øyvind","customerLastName":"O'Neil","customerEmail":"owner@example.com","productType":"direct-sales","region":1,"creationDate":"(time)","expirationDate":null,"projectRoomState":"DEFAULT","companyName":"Example, Inc.","customerContactDetails":null,"additionalEmail":null,"sapNumber":"4711","sapNumberLast":null,"salesman":null,"salesmanEmail":"sales@example.com","subMiningType":"NONE","errorMessage":null,"priority":0,"errorReasons":[],"regionName":"region-1","regionIsMigrationTarget":false,"regionState":"enabled","expirationDateFromLocalDate":null,"licenses":{"YABD":1,"YABV":0},"licensesInformation":[{"licenseKey":"YABV","licenseAmount":0,"licenseType":"NUC"},{"licenseKey":"YABD","licenseAmount":1,"licenseType":"NUC"}],"subLicenses":[],"options":null,"version":2,"runningOperation":null,"failedOperationId":null,"lastBackupAt":null,"lastBackupVerifiedAt":null,"labels":[],"pinnedNotes":[]}"`,
    )
    const csv = (await call('rooms list --filter tenantName=shape1 -o csv')).out.split('\r\n')
    expect(csv[0]).toBe(Object.keys(JSON.parse(row)).join(','))
    expect((await call('rooms list -q')).out.split('\n')).toContain('shape1')
    expect((await call('rooms list -q --filter projectRoomState=default')).out.split('\n')).toContain('shape1')
    expect(await call('bulk start suspend shape1 -q --dry-run')).toEqual({ code: 0, out: '1\n', err: '' })
    expect((await call('rooms get shape1 -o yaml')).out).toContain('productType: direct-sales\n')
    const [regionShown] = JSON.parse((await call('regions list -o json')).out)
    expect(Object.keys(regionShown)).toEqual(Object.keys(region.body[0] ?? {}))
    const [operation] = JSON.parse((await call('operations list --finished -o json')).out)
    expect(Object.keys(operation)).toMatchInlineSnapshot(`
      [
        "kind",
        "sourceRegion",
        "targetRegion",
        "operationId",
        "processType",
        "projectRoomName",
        "state",
        "startedBy",
        "endedAt",
        "errorText",
        "errorReasons",
      ]
    `)
  })

  test('every list and everything that is shown has the fields that are asked for, and names all that there are', async () => {
    const id = (await call('operations list --finished -q --limit 1')).out.trim()
    const lists = [
      'rooms list',
      'regions list',
      'customers list',
      'rooms label list',
      'rooms note list shape1',
      'operations list',
      'bulk list',
      'backups list shape1',
      'doctor findings',
    ]
    const others = ['migrate list', 'rooms deleted list', 'profiles list', 'api', 'bulk items any']
    const single = ['rooms get shape1', 'regions get region-1', 'whoami', 'bulk get any', 'migrate status 1']
    const named = expect.stringMatching(/There is no field no,? ?such\. .*Fields: \w+, /)
    for (const line of [...lists, ...others, ...single, `operations get ${id}`, `operations logs ${id}`])
      expect(await call(`${line} --json no,such`), line).toMatchObject({ code: 2, out: '', err: named })
    for (const line of [...lists, ...others])
      expect(await call(`${line} --columns no`), line).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining('There is no field no.'),
      })
    for (const format of ['-o json', '-o yaml', '--json regionId'])
      expect(await call(`regions list --columns regionId ${format}`), format).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining('--columns is for tables and CSV.'),
      })

    const shape = 'rooms list --filter tenantName=shape1'
    expect((await call(`${shape} --json tenantName,licenses`)).out).toBe(
      '[\n{"tenantName":"shape1","licenses":{"YABD":1,"YABV":0}}\n]\n',
    )
    expect(JSON.parse((await call('rooms get shape1 --json region,tenantName')).out)).toEqual({
      region: 1,
      tenantName: 'shape1',
    })
    expect((await call('regions list --columns regionId,regionName')).out).toMatch(
      /^regionId +regionName\n +1 +region-1\n$/,
    )
    expect((await call('regions list --columns regionId,regionName -o csv')).out).toBe(
      'regionId,regionName\r\n1,region-1\r\n',
    )
    expect((await call(`operations logs ${id} --json n`)).out).toMatch(/^\[\n\{"n":1\},?\n/)
    expect((await call('api --limit 1 --json name')).out).toMatch(/^\[\n\{"name":"\w+"\}\n\]\n$/)
  })

  test('fields are those of the list that is printed', async () => {
    const finished = await call('operations list --json step --finished')
    expect(finished).toMatchObject({ code: 2, out: '', err: expect.stringContaining('There is no field step.') })
    expect((await call('operations list --json step')).code).toBe(0)
    expect(await call('rooms list --json tenantName -o csv')).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not go with -o csv'),
    })
    const { err } = await call('rooms list --json nme')
    expect(JSON.parse(lastLine(err))).toMatchObject({ error: { kind: 'usage', exitCode: 2 } })
    expect(await call('api regions --json name')).toMatchObject({
      code: 2,
      err: expect.stringContaining('go with the list of calls'),
    })
  })

  test('an operation that did several things is one id', async () => {
    expect((await call([...creationOf('several1'), '--wait'].join(' '))).code).toBe(0)
    const ids = (await call('operations list --room several1 -q')).out.trimEnd().split('\n')
    expect(ids).toHaveLength(1)
    const shown = JSON.parse((await call('operations list --room several1 -o json')).out) as { operationId: string }[]
    expect(shown.length).toBeGreaterThan(1)
    expect(new Set(shown.map(({ operationId }) => operationId))).toEqual(new Set(ids))
  })

  // shows: cli-output
  test('a table fits its terminal, and the name stays', async () => {
    for (const width of [200, 80, 40, 12]) {
      const { out } = await call('rooms list', { COLUMNS: String(width) })
      const lines = out.trimEnd().split('\n')
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
      expect(lines.at(-1)).toMatch(/^shape1/)
    }
  })

  test.runIf(existsSync('/usr/bin/script')).each([
    [60, /^█*░+ +\d+% Creating bar60: /],
    [30, /^ +\d+% Creating bar30: /],
  ])('the progress of --wait stays in one line of %i columns', async (columns, drawn) => {
    await network.planFault('room.create:check-room:after:hold')
    const terminal = await openTerminal(cli, creationOf(`bar${columns}`).concat('--wait').join(' '), { env, columns })
    await until('the operation is held', () => network.faultHappened())
    await until('it is drawn', async () => terminal.shown().includes('%'))
    const id = (await call(`operations list --limit 1 -q`)).out.trim()
    expect((await call(`operations cancel ${id} --wait`)).code).toBe(0)
    await terminal.ended
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken away
    const plain = terminal.shown().replace(/\u001b\[\d*m/g, '')
    const lines = plain.split('\r\u001b[2K').filter((line) => line.includes('%'))
    for (const line of lines) {
      expect(line).toMatch(drawn)
      expect(line.length).toBeLessThan(columns)
    }
    expect(lines.length).toBeGreaterThan(0)
  })

  test('a text that a spreadsheet would compute is none in CSV, and numbers stay numbers', async () => {
    await network.newRoom({ tenantName: 'sum1', companyName: '=1+1' })
    const { out } = await call('rooms list --filter tenantName=sum1 --columns companyName,priority -o csv')
    expect(out).toBe(`companyName,priority\r\n'=1+1,0\r\n`)
    const { out: regions } = await call('regions list -o csv')
    expect(regions).toContain(',-1,')
  })

  test('what the server sends never reaches the terminal as commands', async () => {
    const evil = 'a\u001b]0;owned\u0007\u009b2J\u202eb\nroomkeeper: fine'
    await network.newRoom({ tenantName: 'evil1' })
    // Calls take no such text.
    await network.database.rows('update rooms set company_name = $1 where name = $2', [evil, 'evil1'])
    for (const format of ['table', 'json', 'yaml']) {
      const { out } = await call(`rooms list --filter tenantName=evil1 -o ${format}`, { COLUMNS: '400' })
      expect(out.replaceAll('\n', ''), format).not.toMatch(/[\p{Cc}\u202e]/u)
      expect(out, format).toMatch(/a\\(x1b|u001b|e)\]0;owned/)
    }
    const csv = (await call('rooms list --filter tenantName=evil1 -o csv')).out
    expect(csv).toContain('"a\\x1b]0;owned\\x07\\x9b2J\u202eb\nroomkeeper: fine"')
    const json = JSON.parse((await call('rooms get evil1 -o json')).out) as { companyName: string }
    expect(json.companyName).toBe(evil)
  })
})

test('any call can be made by its name, with nothing secret among its arguments', async () => {
  const sourceRegion = (await network.admin.call('regions', {})).body[0]?.regionId ?? 0
  expect(JSON.parse((await call('api room -f projectRoom=shape1')).out)).toMatchObject({ product: 'ARIS' })
  const input = JSON.stringify({ sourceRegion, targetRegion: 77 })
  const refused = await cli.call(['api', 'saveLiveMigration', '--input', '-'], { input })
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('targetRegion') })
  const misspelt = JSON.stringify({ name: 'ci', role: 'CLOUD_SUPPORT', network: ['10.0.0.0/8'] })
  expect(await cli.call(['api', 'createToken', '--input', '-'], { input: misspelt })).toMatchObject({
    code: 1,
    err: expect.stringContaining('Unknown field network. Is it networks?'),
  })
  expect(await call('api deletedRooms -f serch=a')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Is it search?'),
  })
  expect(await call('api signIn -f password=a')).toMatchObject({ code: 2, err: expect.stringContaining('--input') })
  expect(await call('api delteRoom')).toMatchObject({ code: 2, err: expect.stringContaining('Is it deleteRoom?') })
  expect((await call('api exportRooms -f search=shape1')).out).toMatch(/^Product,Name/)
  expect((await call('api -o csv')).out).toContain('deleteRoom,POST,/api/operator/delete,admin,')
})

describe('completion', () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    test.skipIf(!isInstalled(shell))(`the script for ${shell} is one that it can read`, async () => {
      const { out, code } = await call(`completion ${shell}`)
      expect(code).toBe(0)
      expect(out).toContain('roomkeeper complete --')
      const path = join(cli.dir, `completion.${shell}`)
      await writeFile(path, out)
      execFileSync(shell, [shell === 'fish' ? '--no-execute' : '-n', path])
    })
  }

  test('bash completes commands, options, words and names, quoted', async () => {
    await writeFile(join(cli.dir, 'roomkeeper'), `#!/bin/sh\nexec ${process.execPath} ${cli.program} "$@"\n`, {
      mode: 0o755,
    })
    await network.database.rows(`update regions set name = 'r $(touch pwned)' where id = 1`)
    await network.newRoom({ tenantName: 'shell1' })
    await network.newRoom({ tenantName: 'certified1' })
    for (const line of ['rooms delete certified1', 'rooms deleted purge certified1']) await call(`${line} --yes --wait`)
    await writeFile(join(cli.dir, 'completion.bash'), (await call('completion bash')).out)
    const reply = async (...words: string[]) => {
      const given = words.map((word) => `'${word}'`).join(' ')
      const script = `source completion.bash; COMP_WORDS=(roomkeeper ${given}); COMP_CWORD=${words.length}; _roomkeeper; printf '%s\\n' "\${COMPREPLY[@]}"`
      const path = `${cli.dir}${delimiter}${process.env.PATH}`
      const options = { cwd: cli.dir, encoding: 'utf8', env: { ...env, PATH: path, HOME: cli.dir } } as const
      const { stdout } = await promisify(execFile)('bash', ['-c', script], options)
      return stdout.trimEnd().split('\n')
    }
    expect(await reply('rooms', 'su')).toEqual(['suspend'])
    expect(await reply('rooms', 'list', '--st')).toEqual(['--state'])
    expect(await reply('rooms', 'list', '--product', 'M')).toEqual(['MINING'])
    expect(await reply('rooms', 'get', 'she')).toEqual(['shell1'])
    expect(await reply('rooms', 'deleted', 'p')).toEqual(['purge'])
    expect(await reply('rooms', 'deleted', 'certificate', 'cer')).toEqual(['certified1'])
    expect(await reply('rooms', 'list', '--region', 'r ')).toEqual(['r\\ \\$\\(touch\\ pwned\\)'])
    expect(existsSync(join(cli.dir, 'pwned'))).toBe(false)
  })

  test('options of lists, their fields, and profiles are offered, too', async () => {
    const more = { XDG_CONFIG_HOME: join(cli.dir, 'completed') }
    const args = ['login', '--with-token', '--profile', 'staging', '--url', env.ROOMKEEPER_URL]
    await cli.call(args, { env: more, input: env.ROOMKEEPER_TOKEN })
    const offered = async (line: string) => (await call(`complete -- ${line}`, more)).out
    expect(await offered('rooms list --js')).toBe('--json\n')
    expect(await offered('regions list --columns regionN')).toBe('regionName\n')
    expect(await offered('regions list --columns regionId,regionN')).toBe('regionId,regionName\n')
    expect(await offered('rooms get --prof')).toBe('--profile\n')
    expect(await offered('profiles use s')).toBe('staging\n')
    expect(await offered('rooms list --profile ')).toBe('staging\n')
    const signedOut = { ...more, ROOMKEEPER_URL: '', ROOMKEEPER_TOKEN: '' }
    expect((await call('complete -- --profile staging rooms get shape', signedOut)).out).toBe('shape1\n')
    expect((await call('complete -- --profile other rooms get shape', signedOut)).out).toBe('')
  })
})

function creationOf(name: string): string[] {
  const line = `rooms create ${name} --product ARIS --edition basic --region region-1 --sap-number 1 --licence YABD=1
    --customer-first-name A --customer-last-name B --customer-email a@example.com --company-name C
    --salesman-email s@example.com`
  return line.split(/\s+/)
}

/** @returns what is said on the terminal */
async function asked(line: string, typed: string): Promise<string> {
  const { untilSaid, type, ended } = cli.begin(line.split(' '), { isTerminal: true })
  await untilSaid('Type ')
  type(typed)
  return (await ended).err
}

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

test('an export is printed without commands for a terminal, and written as it is', async () => {
  const evil = 'a\u001b]0;owned\u0007\u009b2J\rb\r\nc\td Ø'
  await network.newRoom({ tenantName: 'evil2' })
  await network.database.rows('update rooms set company_name = $1 where name = $2', [evil, 'evil2'])
  const line = 'rooms export --filter tenantName=evil2'
  await call(`${line} --to ${join(cli.dir, 'evil.csv')}`)
  const written = await readFile(join(cli.dir, 'evil.csv'), 'utf8')
  expect(written).toContain(`"${evil}"`)
  const printed = written.replace(evil, 'a\\x1b]0;owned\\x07\\x9b2J\\rb\r\nc\td Ø')
  expect((await call(line)).out).toBe(printed)
  expect((await call('api exportRooms -f search=evil2')).out).toBe(printed)
})

test('a proxy that would read the token gets none', async () => {
  // Node itself reads what it says about proxies.
  const call = (line: string, env: Record<string, string>) => cli.start(line.split(' '), { env }).ended
  const proxies = {
    HTTP_PROXY: 'http://127.0.0.1:9',
    ROOMKEEPER_URL: env.ROOMKEEPER_URL.replace('127.0.0.1', 'localhost'),
  }
  for (const how of [{ NODE_USE_ENV_PROXY: '1' }, { NODE_USE_ENV_PROXY: '1', NO_PROXY: 'example.com,127.0.0.1' }]) {
    const refused = await call('whoami', { ...proxies, ...how })
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('set NO_PROXY=localhost') })
  }
  const numbers = { ROOMKEEPER_URL: 'http://[::1]:9', NODE_USE_ENV_PROXY: '1', NO_PROXY: '[::1]' }
  expect(await call('whoami', { ...proxies, ...numbers })).toMatchObject({ code: 2 })
  const { ROOMKEEPER_URL: url } = proxies
  const input = `${env.ROOMKEEPER_TOKEN}\n`
  const login = { env: { ...proxies, NODE_USE_ENV_PROXY: '1' }, input }
  expect(await cli.start(['login', '--url', url, '--with-token'], login).ended).toMatchObject({ code: 2 })
  for (const how of [{}, { NODE_USE_ENV_PROXY: '1', no_proxy: 'localhost' }])
    expect(await call('whoami -q', { ...proxies, ...how })).toMatchObject({ code: 0 })
})

test('login and logout remove what a login that was killed has left of its token', async () => {
  const folder = join(cli.dir, 'killed/roomkeeper')
  const more = { ROOMKEEPER_URL: '', ROOMKEEPER_TOKEN: '', XDG_CONFIG_HOME: join(folder, '..') }
  expect(await call('logout', more)).toMatchObject({ code: 0 })
  await mkdir(folder, { recursive: true })
  const leave = () => writeFile(join(folder, `config.json.new-${randomUUID()}`), env.ROOMKEEPER_TOKEN)
  await writeFile(join(folder, 'config.json.mine'), '')
  await leave()
  const login = { env: more, input: env.ROOMKEEPER_TOKEN }
  expect(await cli.call(['login', '--url', env.ROOMKEEPER_URL, '--with-token'], login)).toMatchObject({ code: 0 })
  expect(await readdir(folder)).toEqual(['config.json', 'config.json.mine'])
  await leave()
  expect(await call('logout', more)).toMatchObject({ code: 0 })
  expect(await readdir(folder)).toEqual(['config.json.mine'])
})

describe('what is no mistake of the command line is not called one', () => {
  test.each([
    ['{}', 200, 'api regions'],
    ['{"data":[]}', 200, 'rooms list'],
    ['', 204, 'regions list'],
    ['[]', 200, 'rooms restore any --yes --file'],
    ['{"tmpFileName":1}', 200, 'rooms restore any --yes --file'],
  ])('another server, which answers %j with %i', async (text, status, line) => {
    const file = join(cli.dir, 'any.zip')
    await writeFile(file, 'PK')
    const other = createServer((_, response) => response.writeHead(status).end(text)).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const said = await call(line.endsWith('--file') ? `${line} ${file}` : line, { ROOMKEEPER_URL: url })
    other.close()
    expect(said).toMatchObject({ code: 3, err: expect.stringContaining('is no Roomkeeper server') })
  })

  test('a place where nothing can be written, or read', async () => {
    await writeFile(join(cli.dir, 'file'), '')
    const more = { XDG_CONFIG_HOME: join(cli.dir, 'file') }
    const input = env.ROOMKEEPER_TOKEN
    const login = await cli.call(['login', '--url', env.ROOMKEEPER_URL, '--with-token'], { env: more, input })
    expect(login).toMatchObject({ code: 2, err: expect.stringMatching(/cannot be stored in .*: ENOTDIR/) })
    expect(login.err).not.toContain(' at ')
    expect(await call('logout', more)).toMatchObject({ code: 2, err: expect.stringContaining('cannot be removed') })
    expect(await call('rooms restore any --file . --yes')).toMatchObject({ code: 2, err: /is no file/ })
    const script = `${process.execPath} ${cli.program} regions list > /dev/full`
    const full = spawnSync('sh', ['-c', script], { encoding: 'utf8', env: { ...process.env, ...env } })
    expect(full).toMatchObject({ status: 2, stderr: expect.stringContaining('output cannot be written: ENOSPC') })
  })

  test('a field that only JavaScript knows', async () => {
    const unknown = await call('api createWebhook -f constructor=1')
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('has no field constructor') })
    const input = 'constructor: 1\nvalueOf: 2\nname: x'
    expect(await cli.call(['api', 'createWebhook', '--input', '-'], { input })).toMatchObject({ code: 1 })
    const tenantName = await network.newRoom()
    const licences = JSON.stringify({ tenantName, licenses: { constructor: 6 } })
    const dry = await cli.call(['rooms', 'apply', '-f', '-', '--dry-run', '-o', 'json'], { input: licences })
    expect(JSON.parse(dry.out)).toMatchObject([{ changes: [{ field: 'licenses.constructor', from: 0, to: 6 }] }])
  })
})

test('names of megabytes are refused at once, and shown in part', async () => {
  const long = 'k'.repeat(3_000_000)
  const files = {
    field: { [long]: 1 },
    room: { tenantName: long },
    licence: { tenantName: 'long1', licenses: { [long]: 1 } },
    region: { tenantName: 'long1', region: long },
  }
  for (const [what, file] of Object.entries(files)) {
    const begun = Date.now()
    const said = await cli.start(['rooms', 'apply', '-f', '-', '--dry-run'], { input: JSON.stringify([file]) }).ended
    expect(said, what).toMatchObject({ code: what === 'region' ? 1 : 2, out: '' })
    expect(said.err.length, what).toBeLessThan(1000)
    // Without a limit it took half a minute.
    expect(Date.now() - begun, what).toBeLessThan(10_000)
  }
})

// The last test: the seeded regions do not answer, and a purge asks every region.
test('every room comes once, however many there are and however they are sorted', async () => {
  const client = new pg.Client(network.database.url)
  await client.connect()
  await seedRooms(client, { rooms: 230, regions: 1, onProgress: () => undefined })
  await client.end()
  for (const more of ['', ' --sort companyName:desc', ' --sort tenantName:desc']) {
    const names = (await call(`rooms list -q${more}`)).out.trimEnd().split('\n')
    expect(new Set(names).size, more).toBe(names.length)
    expect(names.length, more).toBeGreaterThanOrEqual(230)
  }
  expect((await call('rooms list -q --limit 130')).out.trimEnd().split('\n')).toHaveLength(130)
  const few = await call('rooms list --region seed-1 --product MINING --limit 3 -o json')
  for (const each of JSON.parse(few.out)) expect(each).toMatchObject({ product: 'MINING', regionName: 'seed-1' })
})
