/** What a bench has measured: printed as it comes and, with `--write`, put into its place of docs/performance.md. */
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { repository } from '@roomkeeper/dev-env'
import { withTables } from './with-tables.ts'

const reported: string[] = []
const loadAtStart = loadavg()[0] ?? 0

/** @param text a table or a sentence, in Markdown */
export function report(text: string): void {
  console.log(`${text}\n`)
  reported.push(text)
}

/** @throws Error when the page has no place for this bench */
export async function writeReport(bench: string): Promise<void> {
  const page = join(repository, 'docs', 'performance.md')
  const text = [conditions(), ...reported].join('\n\n')
  await writeFile(page, withTables(await readFile(page, 'utf8'), bench, text))
}

/** The date, the commit and the machine of a run; the load says whether other programs used the machine, too. */
function conditions(): string {
  const date = new Date().toISOString().slice(0, 10)
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const load = [loadAtStart, loadavg()[0] ?? 0].map((each) => each.toFixed(1)).join(' to ')
  return `${date}, ${commit()}, ${cpus().length} cores, ${memory}, Node ${process.versions.node}, load ${load}`
}

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', 'apps', 'packages', 'bench') !== ''
  return `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? ' with changes' : ''}`
}
