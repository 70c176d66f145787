/** Compares the mails that have arrived with the changes that they tell of. */
import { mailServerId } from '@roomkeeper/contract'
import { type Network, type RunningMailServer, until } from '@roomkeeper/dev-env'
import { untilAnswered } from './repeated-calls.ts'

/** Until nothing waits to be sent. The pauses between tries, and the claims of workers that have died, are shortened. */
export async function allMailsTried(network: Network): Promise<void> {
  const waiting = `webhook_id = '${mailServerId}' and state = 'waiting'`
  await until(
    'no mail waits any more',
    async () => {
      const hurry = `update webhook_deliveries set next_try_at = now()
                      where ${waiting} and (claim is null or next_try_at < now() + interval '175 seconds') returning id`
      await untilAnswered(() => network.database.rows(hurry))
      const left = await untilAnswered(() => network.database.rows(`select from webhook_deliveries where ${waiting}`))
      return left.length === 0
    },
    240,
  )
}

interface Told {
  id: string
  kind: string
  state: string
  message: string | null
  delivery: string
  failure: string | null
  tries: number
}

/**
 * Each change that customers are told of has one mail. It has arrived once or twice (a send that was cut off is tried
 * again), or has ended with a reason.
 * @returns what is wrong, and for the report how many mails arrived how many times
 */
export async function compareMails(network: Network, { mails }: RunningMailServer) {
  const told = await network.database.rows<Told>(
    `select o.id, o.kind, o.state, d.message_id as message, d.state as delivery, d.failure, d.tries
       from operations o left join webhook_deliveries d on d.operation_id = o.id
      where o.kind in ('room.create', 'room.suspend', 'room.resume')`,
  )
  const arrived = new Map<string, number>()
  for (const { messageId = '' } of mails) arrived.set(messageId, (arrived.get(messageId) ?? 0) + 1)
  const wrong: string[] = []
  const times = new Map<string, number>()
  for (const { id, kind, state, message, delivery, failure, tries } of told) {
    const messageId = `<${message}@roomkeeper>`
    const count = arrived.get(messageId) ?? 0
    arrived.delete(messageId)
    const what = `${kind} ${id} (${state}): the mail ${message} (${delivery}, ${failure}, ${tries} tries) arrived ${count} times`
    const isTold = message !== null
    const hasArrived = delivery === 'delivered' ? count > 0 : delivery === 'ended' && failure !== null
    if (isTold !== (state === 'done') || (isTold && !hasArrived) || count > 2) wrong.push(what)
    const key = `${count} × ${state === 'done' ? delivery : state}`
    times.set(key, (times.get(key) ?? 0) + 1)
  }
  for (const messageId of arrived.keys()) wrong.push(`The mail ${messageId} tells of no change.`)
  return { wrong, times: Object.fromEntries(times) }
}
