import { connect } from '#connection/connect.ts'
import type { NameKind } from './candidates.ts'

/** Nobody waits longer for a completion. */
const seconds = 2
const mostNames = 100

/** Names that begin with what was typed. None when the server does not answer soon, or nobody has signed in. */
export async function namesOnServer(kind: NameKind, typed: string): Promise<string[]> {
  const signal = AbortSignal.timeout(seconds * 1000)
  try {
    const server = await connect()
    if (kind === 'region') return (await server.call('regions', { signal })).body.map(({ regionName }) => regionName)
    const { body } = await server.call('listRooms', {
      query: {
        order_dir: 'asc',
        size: mostNames,
        totals: 'if-quick',
        ...(typed === ''
          ? {}
          : { filter_keys: ['tenantName'], filter_conditions: ['STARTS_WITH'], filter_values: [typed] }),
      },
      signal,
    })
    return body.data.map(({ tenantName }) => tenantName)
  } catch {
    return []
  }
}
