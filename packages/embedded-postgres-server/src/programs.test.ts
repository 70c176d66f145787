import { chmod, cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findBinaries, postgresIdentity, runProgram } from './programs.ts'

const isRoot = process.getuid?.() === 0

test('links that the installation left out are mended', async () => {
  const packaged = await installedWithoutLinks(0o755)
  const { initdb } = await findBinaries(packaged, packaged)
  expect(dirname(initdb)).toBe(join(packaged, 'native', 'bin'))
  expect(await versionOf(initdb)).toMatch(/^initdb \(PostgreSQL\) 18/)
})

test.runIf(isRoot)('as root, an installation that is closed to others is copied to where it can be run', async () => {
  const packaged = await installedWithoutLinks(0o700)
  const { initdb } = await findBinaries(packaged, packaged)
  onTestFinished(() => rm(join(dirname(initdb), '..', '..'), { recursive: true }))
  expect(initdb.startsWith(packaged)).toBe(false)
  expect(await versionOf(initdb)).toMatch(/^initdb \(PostgreSQL\) 18/)
})

async function installedWithoutLinks(mode: number): Promise<string> {
  const installed = dirname(dirname(dirname((await findBinaries(tmpdir())).initdb)))
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'embedded-postgres-binaries-')))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(installed, folder, { recursive: true })
  const links = JSON.parse(await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[]
  for (const { target } of links) await rm(join(folder, target))
  await chmod(folder, mode)
  return folder
}

async function versionOf(program: string): Promise<string> {
  const { output } = await runProgram(program, ['--version'], { identity: postgresIdentity(), cwd: dirname(program) })
  return output
}
