/** Structured logs: a constant message plus fields, one JSON line each, to standard error. */
import { traceFields } from '@roomkeeper/tracing'
import pino, { type Logger } from 'pino'

export type Log = Logger
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export function createLog(level: LogLevel): Log {
  const destination = pino.destination({ dest: 2, sync: true })
  // A log that cannot be written any more must not end the process: the terminal may be closed.
  destination.on('error', () => undefined)
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, mixin: () => traceFields() }, destination)
}
