import { expect, it } from 'vitest'
import { createStreamLimit, mostStreams } from './event-routes.ts'

it('a process has a limited number of streams for all readers together', () => {
  const take = createStreamLimit()
  const over = new AbortController()
  const reader = (number: number) => ({ operatorId: `operator ${number}`, tokenHash: Buffer.from([number]) })
  const first = new AbortController()
  take(reader(0), first.signal)
  for (let number = 1; number < mostStreams.ofProcess; number += 1) take(reader(number), over.signal)
  expect(() => take(reader(-1), over.signal)).toThrow(expect.objectContaining({ code: 'too-many-streams' }))
  first.abort()
  take(reader(-1), over.signal)
})
