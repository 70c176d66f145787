/** An administrator says that the time is right: housekeeping goes on at once. */
import { because } from '@roomkeeper/contract'
import { trustTime } from '#platform/steady-time.ts'
import type { RepairKind } from './repair-kind.ts'

export const trustTimeNow: RepairKind = {
  async preview(_, { facts }) {
    return [{ field: 'cleanUp', from: facts.until ?? null, to: null }]
  },
  async run(call) {
    await call.transaction(trustTime)
    await call.log([because('log-time-trusted')])
  },
}
