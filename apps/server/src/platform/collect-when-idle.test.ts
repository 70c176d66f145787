import { expect, it } from 'vitest'
import { collectWhenIdle } from './collect-when-idle.ts'

it('what nothing refers to any more is collected once the process is idle', async () => {
  const left = new WeakRef(Array.from({ length: 500_000 }, (_, n) => ({ n })))
  const stop = collectWhenIdle(50)
  try {
    await expect.poll(() => left.deref() === undefined, { timeout: 20_000, interval: 200 }).toBe(true)
  } finally {
    stop()
  }
})
