/** Sends e-mails about a room. */

import { because } from '@roomkeeper/contract'
import { StepFailed } from '#operations/index.ts'
import { type Mail, NoMailbox } from '#platform/mail.ts'
import { pause } from '#platform/pause.ts'
import type { RoomCall } from '../../steps/room-call.ts'
import type { RoomMail } from './created-mail.ts'

/** An e-mail that cannot be sent does not fail the operation. */
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

const pausesSeconds = [1, 4, 15]

/** For operations that exist to send an e-mail. A mail server may be away for some seconds. @throws StepFailed */
export async function sendPatiently(
  call: Pick<RoomCall, 'id' | 'services' | 'signal'>,
  { to, text }: Pick<Mail, 'to' | 'text'>,
  who: 'owner' | 'delegate' | 'sales',
): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      // The same id again, so that a mail that arrives twice can be recognised.
      return await call.services.sendMail({ id: `${call.id}-${who}`, to, text })
    } catch (error) {
      const seconds = error instanceof NoMailbox ? undefined : pausesSeconds[tries]
      if (seconds === undefined) throw new StepFailed(because(`${who}-not-informed`))
      await pause(seconds * 1000, call.signal)
      call.signal.throwIfAborted()
    }
  }
}
