/** The second worker of the browser tests, while the unit tests run. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { waitForUnitTests } from '../../e2e/wait-for-unit-tests.ts'
import { heldWorkersVariable, holdWorkers } from './hold-workers.mjs'

let held
let port
beforeEach(async () => {
  held = await holdWorkers()
  port = held.env[heldWorkersVariable]
})
afterEach(() => held.release())

it('waits until it is released', async () => {
  let isWaiting = true
  const waiting = waitForUnitTests(port, 1).then(() => {
    isWaiting = false
  })
  // A later connection is accepted only after that of the worker.
  const later = connect(Number(port), '127.0.0.1').on('error', () => undefined)
  await once(later, 'connect')
  expect(isWaiting).toBe(true)
  held.release()
  await waiting
  later.destroy()
})

it('goes on at once when it was released before it asked', async () => {
  held.release()
  await waitForUnitTests(port, 1)
})

it('is the only one to wait: neither the first worker does, nor any worker where nobody holds them', async () => {
  await waitForUnitTests(port, 0)
  await waitForUnitTests(undefined, 1)
})
