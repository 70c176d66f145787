/** Real backups of real rooms, made and downloaded through the API. */
import { type Network, type RoomDraftGiven, roomDraft } from '@roomkeeper/dev-env'
import { untilRoomIs } from './region-room.ts'

/** Creates a room that is suspended in the console and on its region. */
export async function makeSuspendedRoom(
  network: Network,
  changes: Partial<RoomDraftGiven> = {},
): Promise<RoomDraftGiven> {
  const room = roomDraft(changes)
  await network.admin.call('createRoom', { body: room })
  await network.settle()
  await network.admin.call('suspendRoom', { body: { roomName: room.tenantName, userNotification: false } })
  await untilRoomIs(network, room.tenantName, 'SUSPENDED')
  return room
}

/** The .zip of a classic backup of a suspended room. */
export async function makeBackup(network: Network, roomName: string): Promise<Buffer> {
  const { admin } = network
  await admin.call('backupRoom', { query: { projectRoomName: roomName, isD2O: false } })
  await network.settle()
  const [newest] = (await admin.call('roomBackups', { query: { projectRoom: roomName } })).body
  if (newest === undefined) throw new Error(`There is no backup of ${roomName}.`)
  const answer = await admin.open('roomBackupContent', { params: { id: newest.id } })
  return Buffer.from(await answer.arrayBuffer())
}

/** The .zip in the form that a file input takes. */
export function zipFile(name: string, buffer: Buffer) {
  return { name, mimeType: 'application/zip', buffer }
}
