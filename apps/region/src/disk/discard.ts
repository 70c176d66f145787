import { removeTree } from './durable.ts'
import { reportTrouble } from './report-trouble.ts'

/**
 * Removes what is not needed any more. The work itself is done by then, or has failed for its own reason, so a failure
 * to remove its remains is only reported. The next start removes them.
 */
export async function discard(path: string): Promise<void> {
  await removeTree(path).catch((error: unknown) => reportTrouble('What is not needed any more stays behind', error))
}
