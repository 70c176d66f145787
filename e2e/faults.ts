/** Faults that tests set in a region server that was started with REGION_FAULTS=1. */
import type { Network } from '@roomkeeper/dev-env'

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

/** Replaces all earlier faults of the first region. The faults hit calls about this room only. */
export async function setFaults(network: Network, room: string, faults: Fault[]): Promise<void> {
  await network.setRegionFaults(
    faults.map(({ rest = '', ...fault }) => ({ ...fault, path: `/region/v1/rooms/${room}${rest}` })),
  )
}

/** Replaces all earlier faults: the first region does not answer calls under this path. @param path such as `/status` */
export async function hang(network: Network, path: string): Promise<void> {
  await network.setRegionFaults([{ method: '*', path: `/region/v1${path}`, action: 'hang', times: 1000 }])
}
