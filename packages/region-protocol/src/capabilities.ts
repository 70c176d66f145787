/**
 * What a region may lack. `GET status` names what it has, and the console uses nothing else: it never tries a call to
 * find out. Names that this console does not know are ignored.
 */
import { z } from 'zod'
import { atMost } from './bounds.ts'

export const aboutCapabilities = {
  consoleRecord: row(
    '`GET` and `PUT rooms/{name}/console-record`',
    'What only the console knows of a room is lost with its database: an adopted room has to be completed by hand.',
  ),
  deleteFile: row('`DELETE files/{id}`', 'Files go by themselves when they have not been used for long.'),
  digest: row('`digest: true` in `backupRoom` and `restoreRoom`', 'A move runs `digestRoom` on both copies.'),
  jobFile: row('`GET jobs/{id}/file`', 'A backup is fetched when it is packed.'),
  purgeRoom: row('the job `purgeRoom`', 'The console certifies no purge, and says that this region does not offer it.'),
  raiseFences: row('`PUT fences`', 'A call for each fence: the cancellation of a job that does not exist.'),
  receiveBackup: row(
    '`POST files/{id}/tickets`, and uploads with tickets',
    'The console carries the backups of moves to this region.',
  ),
  replaceRoom: row(
    'the jobs `replaceRoom` and `putBackRoom`',
    'Before a restore, the old content is packed as a backup, and an undo restores that.',
  ),
  routes: row('`GET routes`', '*Consistency* does not check redirects.'),
  sendBackup: row('`to` in `backupRoom`', 'The console carries the backups of moves from this region.'),
  verifyBackup: row('the job `verifyBackup`', 'No backup is restored in a test on this region.'),
} as const
export type Capability = keyof typeof aboutCapabilities
export const capabilities = Object.keys(aboutCapabilities) as Capability[]

/** For docs/region/README.md, in Markdown. */
function row(what: string, without: string) {
  return { what, without }
}

/** In the status of a region. */
export const toldCapabilities = z
  .array(z.string())
  .max(atMost.capabilities)
  .default([])
  .transform((told) => capabilities.filter((each) => told.includes(each)))
