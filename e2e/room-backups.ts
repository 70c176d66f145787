/** Real backups of real rooms, made and downloaded through the API. */
import type { Network } from '@roomkeeper/dev-env'

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
