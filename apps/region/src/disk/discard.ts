import { removeTree } from './durable.ts'
import { reportTrouble } from './report-trouble.ts'

/**
 * Removes files that are no longer needed. A failure is only reported, because the work itself is already done, or has
 * failed for another reason. The next start removes what is left.
 */
export async function discard(path: string): Promise<void> {
  await removeTree(path).catch((error: unknown) => reportTrouble('What is not needed any more stays behind', error))
}
