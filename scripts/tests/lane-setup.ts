/** Before each of vitest's files: waits until it may run. */
import { waitForLane } from '../../packages/dev-env/src/wait-for-lane.ts'

const port = process.env.ROOMKEEPER_LANES
// What the tests start is no worker of this run.
delete process.env.ROOMKEEPER_LANES
await waitForLane(port)
