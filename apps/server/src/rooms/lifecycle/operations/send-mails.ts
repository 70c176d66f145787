/** Sends e-mails to the owner and delegate of a room. An e-mail that cannot be sent does not fail the operation. */

import { because } from '@roomkeeper/contract'
import type { RoomCall } from '../../steps/room-call.ts'
import type { RoomMail } from './created-mail.ts'

export async function sendMails(call: RoomCall, mails: readonly RoomMail[]): Promise<void> {
  for (const mail of mails) {
    try {
      await call.services.sendMail({ ...mail, id: `${call.id}-${mail.kind}` })
      await call.log([because(`log-${mail.kind}-informed`)])
    } catch {
      await call.log([because(`log-${mail.kind}-not-informed`)], 'warning')
    }
  }
}
