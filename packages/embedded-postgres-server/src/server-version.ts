/** Compares major versions: PostgreSQL cannot read the data of another major version. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, titleOf } from './application.ts'
import type { Binaries } from './binaries.ts'
import type { Cluster } from './cluster.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { runProgram } from './run-program.ts'

/** Such as 18. */
export async function majorOfData(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'PG_VERSION'), 'utf8'), 10)
}

/** @throws {EmbeddedPostgresError} when the program does not report its version */
export async function majorOfBinaries({ postgres }: Pick<Binaries, 'postgres'>): Promise<number> {
  const { output } = await runProgram(postgres, ['--version'], { identity: null, cwd: '/' })
  const major = Number(/PostgreSQL\) (\d+)/.exec(output)?.[1])
  if (!(major > 0))
    throw new EmbeddedPostgresError('wrong-programs', `${postgres} does not say which PostgreSQL it is.`)
  return major
}

/** @throws {EmbeddedPostgresError} data-too-old, data-too-new */
export async function checkVersions({ folder, binaries, application }: Cluster): Promise<void> {
  const [data, ours] = await Promise.all([majorOfData(folder), majorOfBinaries(binaries)])
  if (data === ours) return
  const found = `The data in ${folder} is that of PostgreSQL ${data}, and this version of ${titleOf(application)} brings PostgreSQL ${ours}: nothing was changed. `
  throw data < ours
    ? failure(application, 'data-too-old', found, 'Upgrade it first.')
    : failure(application, 'data-too-new', found, `Start the newer version of ${titleOf(application)}.`)
}
