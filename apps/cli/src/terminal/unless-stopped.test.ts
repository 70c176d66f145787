import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { Failure } from '#failure.ts'
import { systemClock, Terminal } from './terminal.ts'
import { interrupt, unlessStopped } from './unless-stopped.ts'

test('nested work that is stopped ends with its own failure', async () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const terminal = new Terminal({ stdin, stdout, stderr, env: {}, clock: systemClock })
  const failing = (message: string) => ({ interrupted: () => new Failure('interrupted', message) })
  const work = unlessStopped(terminal, failing('outer'), (outer) =>
    unlessStopped(terminal, failing('inner'), async (inner) => {
      const either = AbortSignal.any([outer, inner])
      await systemClock.pause(60_000, either).catch(() => either.throwIfAborted())
    }),
  )
  expect(interrupt(terminal)).toBe(true)
  await expect(work).rejects.toThrow('inner')
  expect(interrupt(terminal)).toBe(false)
})
