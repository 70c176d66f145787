/** How many workers of a test runner work at once. Each of them is a process, as in a run. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lanesVariable, openLanes } from './lanes.mjs'

const program = fileURLToPath(new URL('../../packages/dev-env/src/wait-for-lane.ts', import.meta.url))
const work = `
  const { waitForLane } = await import(process.argv[1])
  await waitForLane(process.env.${lanesVariable})
  process.send('works')
  process.once('message', () => process.exit())
`
let lanes
let workers
beforeEach(async () => {
  workers = []
  lanes = await openLanes(1)
})
afterEach(() => {
  lanes.close()
  for (const { child } of workers) child.kill('SIGKILL')
})

it('as many work as there are lanes, in the order of asking; one that ends, however it does, leaves its lane', async () => {
  const [first, second, third] = await startWorkers()
  await first.begins
  first.child.kill('SIGKILL')
  await second.begins
  expect(third.works).toBe(false)
  second.child.send('end')
  await third.begins
})

it('one that ends while it waits takes no lane', async () => {
  const [first, second, third] = await startWorkers()
  second.child.kill('SIGKILL')
  await counted({ working: 1, waiting: 1 })
  first.child.send('end')
  await third.begins
})

it('a lane more lets one more work', async () => {
  const [, second, third] = await startWorkers()
  lanes.add()
  await second.begins
  expect(lanes.counts()).toEqual({ working: 2, waiting: 1 })
  expect(third.works).toBe(false)
})

it('when nobody gives lanes any more, all work', async () => {
  const [, second, third] = await startWorkers()
  lanes.close()
  await Promise.all([second.begins, third.begins])
  await startWorker().begins
})

it('without lanes, none waits', async () => {
  await startWorker({}).begins
})

/** Three, of which the first has the lane, and the others wait in this order. */
async function startWorkers() {
  const started = []
  for (const waiting of [0, 1, 2]) {
    started.push(startWorker())
    await counted({ working: 1, waiting })
  }
  return started
}

async function counted(counts) {
  await expect.poll(() => lanes.counts(), { timeout: 30_000 }).toEqual(counts)
}

function startWorker(env = lanes.env) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', work, program], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const worker = { child, works: false }
  worker.begins = once(child, 'message').then(() => {
    worker.works = true
  })
  // A worker that is killed while it waits never begins.
  worker.begins.catch(() => undefined)
  workers.push(worker)
  return worker
}
