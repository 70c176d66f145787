/** Failures on demand in a region server that was started with REGION_FAULTS=1. */
import type { RunningRegion } from '@roomkeeper/dev-env'

export interface Fault {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** The path after the room's name, such as `/licences`; empty for the room itself. */
  rest?: string
  action: 'status' | 'delay' | 'hang'
  status?: number
  milliseconds?: number
  /** How many calls the fault hits; default 1. */
  times?: number
}

/** Replaces all earlier faults. The faults hit calls about this room only. */
export async function setFaults(region: RunningRegion, room: string, faults: Fault[]): Promise<void> {
  await putFaults(
    region,
    faults.map(({ rest = '', ...fault }) => ({ ...fault, path: `/region/v1/rooms/${room}${rest}` })),
  )
}

/** Replaces all earlier faults: from now on nothing under the path is answered. @param path such as `/status` */
export async function hang(region: RunningRegion, path: string): Promise<void> {
  await putFaults(region, [{ method: '*', path: `/region/v1${path}`, action: 'hang', times: 1000 }])
}

/** From now on every call works, except for calls that hang already. */
export async function clearFaults(region: RunningRegion): Promise<void> {
  await putFaults(region, [])
}

async function putFaults(region: RunningRegion, rules: object[]): Promise<void> {
  const answer = await fetch(`${region.url}/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rules),
  })
  if (!answer.ok) throw new Error(`The region took no faults: ${answer.status} ${await answer.text()}`)
}
