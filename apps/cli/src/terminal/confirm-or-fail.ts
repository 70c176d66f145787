/** Before something is changed that cannot be taken back easily. */
import { Failure, usageFailure } from '#failure.ts'
import { ask, confirms, isInteractive } from './ask.ts'

export interface Confirmation {
  question: string
  /** What has to be typed; without it, y is enough. */
  typed?: string
  /** `--yes` was given. */
  yes: boolean
  /** The terminal's input is taken by something else, such as a file. */
  isInputTaken?: boolean
}

/** @throws Failure when the user says no, or cannot be asked */
export async function confirmOrFail({ question, typed, yes, isInputTaken = false }: Confirmation): Promise<void> {
  if (yes) return
  if (isInputTaken || !isInteractive())
    throw usageFailure('Nobody can be asked here. Add --yes if this is what you want.')
  const agrees = typed === undefined ? await confirms(question) : (await ask(`${question} `)).trim() === typed
  if (!agrees) throw new Failure('interrupted', 'Stopped; nothing was changed.')
}
