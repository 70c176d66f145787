import { expect, it } from 'vitest'
import { mapConcurrently } from './map-concurrently.ts'

it('does as much at a time as it may, and gives the results in order', async () => {
  const gates = [1, 2, 3, 4].map(() => Promise.withResolvers<void>())
  const begun: number[] = []
  const mapped = mapConcurrently([0, 1, 2, 3], 2, async (item) => {
    begun.push(item)
    await gates[item]?.promise
    return item * 10
  })
  gates[1]?.resolve()
  gates[2]?.resolve()
  await gates[2]?.promise
  for (const { resolve } of gates.slice(2)) resolve()
  gates[0]?.resolve()
  expect(await mapped).toEqual([0, 10, 20, 30])
  expect(begun).toEqual([0, 1, 2, 3])
})

it('begins nothing more after a failure, and waits for what has begun', async () => {
  const slow = Promise.withResolvers<void>()
  const begun: number[] = []
  const ended: number[] = []
  const failed = mapConcurrently([0, 1, 2, 3, 4], 2, async (item) => {
    begun.push(item)
    if (item === 1) throw new Error('The first failure.')
    await slow.promise
    ended.push(item)
    throw new Error('A later one.')
  })
  let isOver = false
  const over = failed.finally(() => {
    isOver = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isOver).toBe(false)
  slow.resolve()
  await expect(over).rejects.toThrow('The first failure.')
  expect({ begun, ended }).toEqual({ begun: [0, 1], ended: [0] })
})
