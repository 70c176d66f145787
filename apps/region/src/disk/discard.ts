import { removeTree } from './durable.ts'
import { reportTrouble } from './report-trouble.ts'

/**
 * Removes what is worth nothing any more. Whatever was done is done by then, or has failed for its own reason: that
 * remains could not be removed is only reported. The next start removes them.
 */
export async function discard(path: string): Promise<void> {
  await removeTree(path).catch((error: unknown) => reportTrouble('What is not needed any more stays behind', error))
}
