/** What a command that fails says on stderr: for people, or for programs as one line of JSON, the last one. */
import type { FieldProblem } from '@roomkeeper/contract'
import { exitCodes, type Failure, headline } from '#failure.ts'
import { jsonText } from '#output/formats.ts'
import { flagOf } from '#rooms/room-flags.ts'
import type { Terminal } from '#terminal/terminal.ts'

/** @param flags of the command that was called */
export function printFailure(
  terminal: Terminal,
  failure: Failure,
  { isJson, flags, profile }: { isJson: boolean; flags: readonly string[]; profile: string | undefined },
): void {
  if (isJson) {
    const { kind, message, details } = failure
    const { hints: _, ...told } = details
    terminal.stderr.write(`${jsonText({ error: { kind, exitCode: exitCodes[kind], message, ...told } })}\n`)
    return
  }
  // Nothing went wrong: the command found what it looked for.
  if (failure.kind === 'differs') {
    terminal.say(failure.message, 'yellow')
    return
  }
  const { errors = [], requestId, hints = [] } = failure.details
  const lines = headline(failure)
    .split('\n')
    .filter((line) => line !== '')
  const [first = '', ...others] = lines
  terminal.say(`roomkeeper: ${first}`, 'red')
  for (const line of others) terminal.say(line)
  for (const error of errors) terminal.say(`  ${placeOf(error, flags)}: ${error.message}`)
  if (requestId != null) terminal.say(`  (request ${requestId})`, 'dim')
  for (const hint of hintsOf(failure, hints, profile)) terminal.say(`  ${hint}`)
}

function hintsOf({ details }: Failure, hints: readonly string[], profile: string | undefined): readonly string[] {
  const isSignedOut = details.code === 'token-refused' || details.code === 'session-expired'
  const isMisnamed = details.errors?.some(({ code }) => code === 'room-name-invalid') === true
  const all = [
    ...hints,
    ...(isSignedOut ? ["Sign in with another token: 'roomkeeper login'."] : []),
    ...(isMisnamed ? ['A name begins with a small letter and has 3 to 24 small letters and digits.'] : []),
  ]
  return profile === undefined ? all : all.map((hint) => withProfile(hint, profile))
}

/** The commands in a hint are about the same server as the one that failed. */
function withProfile(hint: string, profile: string): string {
  return hint.includes('--profile') ? hint : hint.replace(/\broomkeeper(?= [a-z])/g, `roomkeeper --profile ${profile}`)
}

/** The flag that sets the field, where the command has one. */
function placeOf({ field }: FieldProblem, flags: readonly string[]): string {
  const [first = '', ...rest] = field.split('.')
  const flag = flagOf(first)
  if (!flags.includes(flag)) return field
  return rest.length === 0 ? flag : `${flag} ${rest.join('.')}`
}
