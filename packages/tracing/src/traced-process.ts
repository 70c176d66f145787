/** What a process tells of itself, and wants to be told. */
import type { Attributes } from './spans.ts'

export interface TracedProcess {
  /** Its name, unless the settings give another. */
  serviceName: string
  /** What every span tells of it. */
  attributes: Attributes
  /**
   * With the id of a trace it decides whether one is recorded whose beginning decides nothing: strangers choose the id.
   * The same in all processes that ask. Default: the id alone decides.
   */
  strangersKey?: Buffer
  /** Called when the collector begins to fail, and with null when it takes spans again. */
  onTrouble(error: Error | null): void
}
