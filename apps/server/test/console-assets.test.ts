/** The console's files of other builds: a page that was opened before an upgrade still gets its parts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const built = join(import.meta.dirname, '../../console/dist')
let network: Network

beforeAll(async () => {
  network = await bootNetwork({ regions: [] })
})
afterAll(() => network?.stop())

function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(new URL(path, network.server.address), { headers })
}

async function kept(): Promise<string[]> {
  const rows = await network.database.rows<{ name: string }>('select name from console_assets order by name')
  return rows.map(({ name }) => name)
}

/** As another process would have kept it. */
async function keepOfAnotherBuild(name: string, content: string, needed = '1 day'): Promise<void> {
  await network.database.rows(`insert into console_assets values ($1, $2, now() + $3::interval)`, [
    name,
    gzipSync(content),
    needed,
  ])
}

describe('assets of the console', () => {
  it('are all kept by the process that has them on disk', async () => {
    const names = readdirSync(join(built, 'assets')).filter((name) => !name.endsWith('.gz'))
    await until('all are kept', async () => (await kept()).length >= names.length)
    expect(await kept()).toEqual(names.sort())
  })

  it('of another build are served as its own process does', async () => {
    await keepOfAnotherBuild('part-AbCd_12-.js', 'export const former = 1')
    await keepOfAnotherBuild('part-AbCd_12-.css', '.former{}')
    const script = await ask('/assets/part-AbCd_12-.js')
    expect(script.status).toBe(200)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(script.headers.get('content-encoding')).toBe('gzip')
    expect(await script.text()).toBe('export const former = 1')
    const plain = await ask('/assets/part-AbCd_12-.css', { 'accept-encoding': 'identity' })
    expect(plain.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await plain.text()).toBe('.former{}')
    const own = readdirSync(join(built, 'assets')).find((name) => name.endsWith('.js')) ?? ''
    expect(await (await ask(`/assets/${own}`)).text()).toBe(readFileSync(join(built, 'assets', own), 'utf8'))
  })

  it.each(['/assets/gone-AbCdEfGh.js', '/assets/none.js', '/assets/..%2fa-AbCdEfGh.js', '/assets/a%00b-AbCdEfGh.js'])(
    '%s, which no process has, is not to be cached as missing',
    async (path) => {
      const answer = await ask(path)
      expect(answer.status).toBe(404)
      expect(answer.headers.get('cache-control')).toBe('no-store')
    },
  )

  it('that no process has had for a week go when the next one starts, while its own stay', async () => {
    await keepOfAnotherBuild('old-AbCdEfGh.js', 'old', '-1 second')
    const before = await kept()
    await network.addServer()
    await until('it is gone', async () => !(await kept()).includes('old-AbCdEfGh.js'))
    expect(await kept()).toEqual(before.filter((name) => name !== 'old-AbCdEfGh.js'))
    expect((await ask('/assets/part-AbCd_12-.js')).status).toBe(200)
  })
})

describe('the files of its own build', () => {
  const own = readdirSync(join(built, 'assets')).find((name) => name.endsWith('.js')) ?? ''

  it.each([
    ['/', 'index.html', 'no-cache'],
    ['/index.html', 'index.html', 'no-cache'],
    ['/robots.txt', 'robots.txt', 'no-cache'],
    ['/favicon.svg', 'favicon.svg', 'no-cache'],
    [`/assets/${own}`, `assets/${own}`, 'public, max-age=31536000, immutable'],
  ])('%s: content, its head alone, and nothing when the browser has it already', async (path, file, cached) => {
    const content = readFileSync(join(built, file), 'utf8')
    const plain = await ask(path, { 'accept-encoding': 'identity' })
    expect(plain.status).toBe(200)
    expect(plain.headers.get('cache-control')).toBe(cached)
    expect(await plain.text()).toBe(content)
    const head = await fetch(new URL(path, network.server.address), {
      method: 'HEAD',
      headers: { 'accept-encoding': 'identity' },
    })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(content)))
    // Without a cache-control of its own, fetch asks for a fresh copy.
    const known = { 'if-none-match': plain.headers.get('etag') ?? '', 'cache-control': 'max-age=0' }
    const again = await ask(path, { 'accept-encoding': 'identity', ...known })
    expect(again.status).toBe(304)
  })

  it('are sent as they were packed by the build', async () => {
    const packed = await ask(`/assets/${own}`, { 'accept-encoding': 'gzip' })
    const hasPacked = existsSync(join(built, 'assets', `${own}.gz`))
    expect(packed.headers.get('content-encoding')).toBe(hasPacked ? 'gzip' : null)
    expect(await packed.text()).toBe(readFileSync(join(built, 'assets', own), 'utf8'))
  })
})

it('answers of the API tell the build of the console that the server has', async () => {
  const entry = /\/assets\/(index-[\w-]+)\.js/.exec(readFileSync(join(built, 'index.html'), 'utf8'))?.[1]
  expect(entry).toBeDefined()
  expect((await ask('/api/maintenanceMode')).headers.get('x-console-build')).toBe(entry)
  expect((await ask('/api/operator/overview')).headers.get('x-console-build')).toBe(entry)
})
