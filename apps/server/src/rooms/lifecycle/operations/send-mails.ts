/** E-mails to the people of a room. A mail that cannot be sent does not make a good room bad. */

import type { RoomCall } from '../../steps/room-call.ts'
import type { RoomMail } from './created-mail.ts'

export async function sendMails(call: RoomCall, mails: readonly RoomMail[]): Promise<void> {
  for (const mail of mails) {
    try {
      await call.services.sendMail({ ...mail, id: `${call.id}-${mail.kind}` })
      await call.log(`${mail.kind} informed`)
    } catch {
      await call.log(`the e-mail to the ${mail.kind} could not be sent`, 'warning')
    }
  }
}
