/** Embedded regions end with their console, also one that is just being started again. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@roomkeeper/dev-env'
import { expect, it } from 'vitest'
import { createLog } from '#platform/log.ts'
import { createSecretBox, Secret } from '#platform/secrets.ts'
import { startEmbeddedRegions } from '#regions/index.ts'
import { createTestDatabase } from './test-database.ts'

it('a region that is being started again when the console stops does not run on', async () => {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'embedded-'))
  const started = join(dataDir, 'started')
  const real = new URL('../../region/src/main.ts', import.meta.url).href
  const program = join(dataDir, 'slow-region.mjs')
  await writeFile(
    program,
    `import { appendFileSync } from 'node:fs'
     appendFileSync(${JSON.stringify(started)}, process.pid + '\\n')
     await new Promise((resolve) => setTimeout(resolve, 1500))
     await import(${JSON.stringify(real)})`,
  )
  const [secrets, log] = [createSecretBox(new Secret('the key of this console')), createLog('silent' as never)]
  const regions = await startEmbeddedRegions({ database, secrets, log, count: 1, dataDir, program })
  const pids = async () => (await readFile(started, 'utf8')).trim().split('\n').map(Number)
  const [first = 0] = await pids()
  process.kill(first, 'SIGKILL')
  await until('the region is being started again', async () => (await pids()).length === 2)
  await regions.stop()
  const [, second = 0] = await pids()
  expect(() => process.kill(second, 0)).toThrow('ESRCH')
  await rm(dataDir, { recursive: true })
})
