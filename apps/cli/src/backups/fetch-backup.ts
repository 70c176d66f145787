import type { Server } from '#connection/connect.ts'
import { receiveFile } from '#connection/receive-file.ts'
import { Failure } from '#failure.ts'

/** Writes the .zip of a classic backup. @throws Failure */
export async function fetchBackup(server: Server, id: string, path: string): Promise<void> {
  const { body } = await server.open('roomBackupContent', { params: { id } })
  if (body === null) throw new Failure('unreachable', 'The server sent nothing.')
  await receiveFile(body, path)
}
