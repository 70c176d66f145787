/**
 * The order of vitest's files: the longest first, so that at the end no worker is busy with a long file while the other
 * has nothing left. A clean clone has no times of an earlier run, and the size of a file says little about its time.
 */
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Seconds of the files that take longest. Only their order counts; a file that is missing here runs after them. */
const seconds: Record<string, number> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'longest-files.json'), 'utf8'),
)

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification) =>
      seconds[relative(this.ctx.config.root, moduleId).split(sep).join('/')] ?? 0
    return (await super.sort(files)).sort((a, b) => secondsOf(b) - secondsOf(a))
  }
}
