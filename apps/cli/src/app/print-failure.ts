/** What a command that fails says on stderr: for people, or for programs as one line of JSON, the last one. */
import type { FieldProblem } from '@roomkeeper/contract'
import { flagOf } from '#arguments/flag-of.ts'
import { exitCodes, type Failure, headline } from '#failure.ts'
import { jsonText } from '#output/print-list.ts'
import { say } from '#terminal/say.ts'

/** @param flags of the command that was called */
export function printFailure(failure: Failure, { isJson, flags }: { isJson: boolean; flags: readonly string[] }): void {
  if (isJson) {
    const { kind, message, details } = failure
    const { hints: _, ...told } = details
    process.stderr.write(`${jsonText({ error: { kind, exitCode: exitCodes[kind], message, ...told } })}\n`)
    return
  }
  // Found what was looked for: nothing went wrong.
  if (failure.kind === 'differs') {
    say(failure.message, 'yellow')
    return
  }
  const { errors = [], requestId, hints = [] } = failure.details
  const lines = headline(failure)
    .split('\n')
    .filter((line) => line !== '')
  const [first = '', ...others] = lines
  say(`roomkeeper: ${first}`, 'red')
  for (const line of others) say(line)
  for (const error of errors) say(`  ${placeOf(error, flags)}: ${error.message}`)
  if (requestId != null) say(`  (request ${requestId})`, 'dim')
  for (const hint of hintsOf(failure, hints)) say(`  ${hint}`)
}

function hintsOf({ details }: Failure, hints: readonly string[]): readonly string[] {
  const isSignedOut = details.code === 'token-refused' || details.code === 'session-expired'
  const isMisnamed = details.errors?.some(({ code }) => code === 'room-name-invalid') === true
  return [
    ...hints,
    ...(isSignedOut ? ["Sign in with another token: 'roomkeeper login'."] : []),
    ...(isMisnamed ? ['A name begins with a small letter and has 3 to 24 small letters and digits.'] : []),
  ]
}

/** The flag that sets the field, where the command has one. */
function placeOf({ field }: FieldProblem, flags: readonly string[]): string {
  const [first = '', ...rest] = field.split('.')
  const flag = flagOf(first)
  if (!flags.includes(flag)) return field
  return rest.length === 0 ? flag : `${flag} ${rest.join('.')}`
}
