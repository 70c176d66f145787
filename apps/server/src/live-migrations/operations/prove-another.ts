/** Proves that what is in a target is another copy than the one in use, whatever regions are called and tell. */
import { type RegionClient, RegionRefusal } from '@roomkeeper/region-protocol'
import { type StepCall, StepFailed } from '#operations/index.ts'
import type { RoomServices } from '#rooms/index.ts'
import type { Home } from './see-elsewhere.ts'

type ProofCall = Pick<StepCall<unknown, RoomServices>, 'id' | 'attempt' | 'mark' | 'signal' | 'services'>

/**
 * The room is locked where it is in use, under a holder that nobody else has; what shows that lock in the target is the
 * same room on the same server.
 * @throws StepFailed when it is, or when nobody can tell
 */
export async function mustBeAnother(
  call: ProofCall,
  target: RegionClient,
  room: { id: string; name: string },
  home: Pick<Home, 'regionId' | 'name'>,
): Promise<void> {
  const region = await call.services.connectRegion(home.regionId, call.signal)
  const lock = { roomId: room.id, holder: `force delete ${call.id} ${call.attempt}` }
  await region.lockRoom(room.name, lock, call.mark).catch((error: unknown) => {
    if (!(error instanceof RegionRefusal && error.type === 'urn:roomkeeper-region:locked-by-another')) throw error
    throw new StepFailed(`The project room could not be locked in ${home.name}, where it is in use: ${error.message}`)
  })
  try {
    const found = await target.room(room.name)
    // A region that does not tell who holds a lock cannot be told apart.
    const isSame = found?.locked === true && (found.lock === null || found.lock.holder === lock.holder)
    if (isSame) throw new StepFailed(`It is the copy in use: the target is the same server as ${home.name}.`)
  } finally {
    await region.unlockRoom(room.name, lock, call.mark)
  }
}
