/** A real SMTP server on a free port. Tests can read the mails that it receives. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Email } from 'postal-mime'

export interface RunningMailServer {
  /** The value for SMTP_URL, with user and password. */
  url: string
  /** The mails received so far, oldest first. */
  mails: Email[]
  /** Refuses mails to this address from now on, with this answer or as an unknown mailbox; or takes them again. */
  refuse(address: string, isRefused?: boolean | { status: number; text: string }): void
  /** Takes each mail from now on, but never answers whether it accepts it. Or answers again. */
  holdAnswers(areHeld?: boolean): void
  stop(): Promise<void>
}

const account = { user: 'roomkeeper', password: 'password of the mail server' }

export async function startMailServer(): Promise<RunningMailServer> {
  // Loaded here, since few test files need them.
  const [{ SMTPServer }, { default: PostalMime }] = await Promise.all([import('smtp-server'), import('postal-mime')])
  const mails: Email[] = []
  const refused = new Map<string, { status: number; text: string }>()
  let areAnswersHeld = false
  const server = new SMTPServer({
    authOptional: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      const isKnown = username === account.user && password === account.password
      if (isKnown) done(null, { user: username })
      else done(new Error('Wrong user or password.'))
    },
    onRcptTo({ address }, _session, done) {
      const answer = refused.get(address)
      done(answer === undefined ? null : Object.assign(new Error(answer.text), { responseCode: answer.status }))
    },
    onData(stream, _session, done) {
      stream.toArray().then(async (chunks) => {
        mails.push(await PostalMime.parse(Buffer.concat(chunks)))
        if (!areAnswersHeld) done()
      }, done)
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  // Of connections that a test resets.
  server.on('error', () => undefined)
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://${account.user}:${encodeURIComponent(account.password)}@127.0.0.1:${port}`,
    mails,
    refuse(address, isRefused = true) {
      if (isRefused === false) refused.delete(address)
      else refused.set(address, isRefused === true ? { status: 550, text: 'No such mailbox.' } : isRefused)
    },
    holdAnswers(areHeld = true) {
      areAnswersHeld = areHeld
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
