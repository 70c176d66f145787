/** What `npm run cli:pack` makes runs on a machine that has Node 20 and nothing else. */
import { execFile, execFileSync } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { olderNode } from './older-node.ts'

const run = promisify(execFile)

let dir: string
let packed: string
let tarball: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'roomkeeper-packed-'))
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, '../pack.ts')])
  packed = stdout.trim()
  tarball = basename(packed)
  await cp(packed, join(dir, tarball))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

// shows: cli-packed
describe.skipIf(olderNode === null)('an older Node', () => {
  test('npx runs it offline, in an empty folder', async () => {
    const env = {
      PATH: `${dirname(olderNode ?? '')}:/usr/bin:/bin`,
      HOME: join(dir, 'home'),
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    }
    const npx = (...args: string[]) => run('npx', ['--yes', `./${tarball}`, ...args], { cwd: dir, env })
    expect((await npx('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    await expect(npx('rooms', 'list')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('roomkeeper login'),
    })
    expect(await readdir(dir)).not.toContain('node_modules')
  })
})

test('it holds one program, and the licences of what is in it', async () => {
  const files = execFileSync('tar', ['-tzf', packed], { encoding: 'utf8' }).trimEnd().split('\n').sort()
  expect(files).toEqual(
    ['LICENSE', 'README.md', 'THIRD-PARTY-LICENCES.txt', 'package.json', 'roomkeeper.js'].map(
      (name) => `package/${name}`,
    ),
  )
  const inFile = (name: string) => execFileSync('tar', ['-xzOf', packed, `package/${name}`], { encoding: 'utf8' })
  expect(JSON.parse(inFile('package.json'))).toMatchObject({ name: 'roomkeeper', license: 'MIT' })
  expect(JSON.parse(inFile('package.json'))).not.toHaveProperty('dependencies')
  for (const name of ['commander', 'yaml', 'zod']) expect(inFile('THIRD-PARTY-LICENCES.txt')).toContain(`=== ${name} `)
})

test('who packs the workspace instead is told what to do', async () => {
  const packing = run('npm', ['pack', '--dry-run', '-w', 'apps/cli'], { cwd: join(import.meta.dirname, '../../..') })
  await expect(packing).rejects.toMatchObject({ stderr: expect.stringContaining('npm run cli:pack') })
})
