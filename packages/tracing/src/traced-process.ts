/** What a process tells of itself, and wants to be told. */
import type { Attributes } from './spans.ts'

export interface TracedProcess {
  /** Its name, unless the settings give another. */
  serviceName: string
  /** What every span tells of it. */
  attributes: Attributes
  /** Called when the collector begins to fail, and with null when it takes spans again. */
  onTrouble(error: Error | null): void
}
