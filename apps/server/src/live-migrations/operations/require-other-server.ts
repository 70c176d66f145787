/** Proves that a copy in a target is not the room in use under another address of the same server. */
import { because } from '@roomkeeper/contract'
import { type RegionClient, RegionRefusal } from '@roomkeeper/region-protocol'
import { type StepCall, StepFailed } from '#operations/index.ts'
import type { Home } from './check-home.ts'

type ProofCall = Pick<StepCall<unknown>, 'id' | 'attempt' | 'mark' | 'signal' | 'services'>

/**
 * Locks the room where it is in use, under a unique holder. A copy in the target that shows this lock is the same room
 * on the same server.
 * @throws StepFailed when the copy is, or may be, the same room
 */
export async function requireOtherServer(
  call: ProofCall,
  target: RegionClient,
  room: { id: string; name: string },
  home: Pick<Home, 'regionId' | 'name'>,
): Promise<void> {
  const region = await call.services.connectRegion(home.regionId, call.signal)
  const lock = { roomId: room.id, holder: `force delete ${call.id} ${call.attempt}` }
  await region.lockRoom(room.name, lock, call.mark).catch((error: unknown) => {
    if (!(error instanceof RegionRefusal && error.type === 'urn:roomkeeper-region:locked-by-another')) throw error
    throw new StepFailed(because('home-not-locked', { region: home.name, told: error.message }))
  })
  try {
    const found = await target.room(room.name)
    // A region that does not name the holder of a lock may be the same server.
    const isSame = found?.locked === true && (found.lock === null || found.lock.holder === lock.holder)
    if (isSame) throw new StepFailed(because('target-is-home', { region: home.name }))
  } finally {
    await region.unlockRoom(room.name, lock, call.mark)
  }
}
