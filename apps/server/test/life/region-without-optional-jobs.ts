import type { Network } from '@roomkeeper/dev-env'
import { asksStatus, interceptCalls, statusWithout } from '../migrations/intercept-calls.ts'

const unknownType = {
  status: 400,
  type: 'application/problem+json',
  text: JSON.stringify({
    type: 'urn:roomkeeper-region:invalid-input',
    title: 'x',
    status: 400,
    detail: 'No such type.',
  }),
}

/**
 * From now on the region answers like one that offers only the jobs that every region needs: it keeps nothing of what a
 * restore replaces, restores nothing in a test and purges nothing.
 * @returns a function after which the console cannot reach it
 */
export function withoutOptionalJobs(network: Network, index: number): Promise<() => void> {
  return interceptCalls(network, index, (call) => {
    if (asksStatus(call)) return statusWithout(network, index, ['replaceRoom', 'verifyBackup', 'purgeRoom'])
    const isOptional = /"type":"(replaceRoom|putBackRoom|verifyBackup|purgeRoom)"/.test(call.body)
    return call.method === 'PUT' && isOptional ? unknownType : undefined
  })
}
