import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('a file that passes through the store does not have the whole heap collected again and again', async () => {
  const program = join(import.meta.dirname, '../../../test/pass-file.ts')
  // The flags of `npm start`.
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--max-semi-space-size=4',
    '--expose-gc',
    program,
    '256',
  ])
  const { collections } = JSON.parse(stdout) as { collections: number }
  // None as a rule; 18 without giving buffers back.
  expect(collections).toBeLessThan(10)
})
