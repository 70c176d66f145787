import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'

test('zod 4.6.7 takes the setting that is made before it is loaded', () => {
  const { version } = createRequire(import.meta.url)('zod/package.json') as { version: string }
  expect(version, 'look whether the setting is still private, and then name the version here').toBe('4.6.7')
  const program = `
    const { keepZodFromEval } = await import('./keep-zod-from-eval.ts')
    keepZodFromEval()
    const { config } = await import('zod')
    console.log(config().jitless)`
  // A process of its own, because zod is loaded here already.
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: import.meta.dirname })
  expect(String(printed).trim()).toBe('true')
})
