import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

test('the example of the README runs', { timeout: 180_000 }, async () => {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'embedded-postgres-server-')))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  await chmod(dataDir, 0o755)
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const example = /```js\n(.+?)```/s.exec(readme)?.[1]?.replace('./data', dataDir) ?? ''
  const run = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', example], {
    cwd: import.meta.dirname,
  })
  expect(run.stdout).toMatch(/^PostgreSQL \d+\.\d+ on /)
})
