import { expect, it } from 'vitest'
import { createDeliveryConcurrency } from './start-delivering.ts'

const sizes = { most: 4, mostHeldBack: 2, keptMilliseconds: 20, heldBackMilliseconds: 60_000 }
const webhook = (id: string, isFailing = false) => ({ id, isFailing })

it('a place is free when the try has ended', async () => {
  const places = createDeliveryConcurrency({ ...sizes, keptMilliseconds: 60_000 })
  const { promise: trying, resolve: end } = Promise.withResolvers<void>()
  const kept = [1, 2, 3, 4].map(() => places.keep(webhook('quick'), trying))
  expect(places.freeFor(webhook('other'))).toBe(0)
  end()
  await Promise.all(kept)
  expect(places.freeFor(webhook('quick'))).toBe(4)
})

it('a try that goes on gives its place back, and its webhook shares half of them with what fails', async () => {
  let now = 0
  const places = createDeliveryConcurrency(sizes, () => now)
  const { promise: never } = Promise.withResolvers<void>()
  await places.keep(webhook('slow'), never)
  expect(places.freeFor(webhook('slow'))).toBe(2)
  expect(places.freeFor(webhook('quick'))).toBe(4)
  void places.keep(webhook('slow'), never)
  void places.keep(webhook('failing', true), never)
  expect(places.freeFor(webhook('slow'))).toBe(0)
  expect(places.freeFor(webhook('another that fails', true))).toBe(0)
  expect(places.freeFor(webhook('quick'))).toBe(2)
  // It stays so for a while, however quick it is meanwhile.
  await places.keep(webhook('slow'), Promise.resolve())
  now = sizes.heldBackMilliseconds - 1
  expect(places.freeFor(webhook('slow'))).toBe(0)
  now += 1
  expect(places.freeFor(webhook('slow'))).toBe(2)
})
