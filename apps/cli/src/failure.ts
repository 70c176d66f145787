/** Why a command ends without what was asked for. The kind decides the exit code; documented in README.md. */
import type { FieldProblem, Problem } from '@roomkeeper/contract'

export const exitCodes = {
  /** The server said no. */
  refused: 1,
  /** The command was called wrongly, or needs a terminal and has none. Nothing was sent, or nothing was changed. */
  usage: 2,
  /** The server, or the database behind it, could not be reached, or the answer was cut off. */
  unreachable: 3,
  'operation-failed': 4,
  /** The command found what it looked for: differences of a dry run, findings of the doctor. */
  differs: 5,
  /** This program has a bug. The same code as EX_SOFTWARE of sysexits. */
  bug: 70,
  /** `--timeout` is over; the operation goes on. The same code as `timeout` of coreutils. */
  'timed-out': 124,
  /** Ctrl-C or SIGTERM; an operation that was started goes on. */
  interrupted: 130,
} as const
type FailureKind = keyof typeof exitCodes

interface FailureDetails {
  /** A refusal's code, such as `room-busy`. */
  code?: string
  /** The parameters of the code. */
  params?: Problem['params']
  title?: string
  errors?: readonly FieldProblem[]
  requestId?: string | null
  operationId?: string
  /** Sentences about what can be done, each for a line. */
  hints?: readonly string[]
}

export class Failure extends Error {
  readonly kind: FailureKind
  readonly details: FailureDetails
  constructor(kind: FailureKind, message: string, details: FailureDetails = {}) {
    super(message)
    this.name = 'Failure'
    this.kind = kind
    this.details = details
  }
}

/** @returns the failure in one line. What the server says about the first field, too, is printed at that field only. */
export function headline({ message, details: { title, errors = [] } }: Failure): string {
  if (title === undefined) return message
  const [first] = errors
  // The message may begin with the field.
  return first !== undefined && message.endsWith(first.message) ? title : `${title}: ${message}`
}

/** Anything else that is thrown is a mistake of this program. */
export function bugFailure(error: unknown): Failure {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return new Failure('bug', message, {
    hints: ['This is a mistake in the command line itself. Please report it.'],
  })
}

export function usageFailure(message: string, ...hints: string[]): Failure {
  return new Failure('usage', message, hints.length === 0 ? {} : { hints })
}
