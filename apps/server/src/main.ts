/** Starts Roomkeeper's server as the environment says, prints where it answers, and stops it on a signal. */
import { styleText } from 'node:util'
import { type Server, startServer } from '#app/server.ts'
import { WrongSetting } from '#app/setting-forms.ts'
import { readSettings, type Settings } from '#app/settings.ts'
import { createLog } from '#platform/log.ts'
import { SchemaMismatch } from '#platform/schema-changes.ts'

const settings = settingsOrExit()
const log = createLog(settings.LOG_LEVEL)
const asked = new AbortController()
// A terminal that is closed, or a pipe whose reader is gone, must not end the process before it has stopped in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
/** Repeated at the end of the start, where it can be seen. */
let firstAdministrator: string[] = []
const starting = startServer(settings, log, {
  exit: (code) => process.exit(code),
  asked: asked.signal,
  tellFirstAdministrator({ email, password }) {
    firstAdministrator = [`First administrator: ${email}`, `Password (shown only now): ${password.reveal()}`]
    // Printed at once: if the start fails after this, the password would be lost.
    for (const line of firstAdministrator) console.log(line)
  },
})
let stopping = false
// During the start, too: what has been started by then is stopped in order.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
// Started with a channel, the process ends with the one that started it.
process.once('disconnect', () => void stop())

try {
  const server = await starting
  if (!stopping) greet(server)
} catch (error) {
  if (stopping) process.exit(0)
  if (!(error instanceof SchemaMismatch)) log.fatal({ err: error }, 'start failed')
  console.error(`Roomkeeper could not start: ${error instanceof Error ? error.message : 'unknown error'}`)
  process.exit(1)
}

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env)
  } catch (error) {
    if (!(error instanceof WrongSetting)) throw error
    console.error(error.message)
    process.exit(2)
  }
}

function greet({ address }: Server): void {
  const lines = [...whereOf(address), ...firstAdministrator].map((line) =>
    styleText('bold', line, { stream: process.stdout }),
  )
  console.log(firstAdministrator.length === 0 ? lines.join('\n') : `\n${lines.join('\n')}\n`)
  process.send?.({ ready: true, address })
}

function whereOf(address: string | null): string[] {
  if (settings.PROCESS === 'worker') {
    const health = address === null ? [] : [`Its health: ${address}/healthz`]
    return ['Roomkeeper worker is running.', ...health]
  }
  const reached = settings.PUBLIC_URL ?? `${address}/`
  return [`Roomkeeper is ready at ${address}`, `Operators sign in at ${reached}project`]
}

/** A second signal ends at once. */
async function stop(): Promise<void> {
  if (stopping) process.exit(130)
  stopping = true
  asked.abort()
  const server = await starting
  await server.stop()
  process.exit(0)
}
