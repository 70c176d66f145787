/** deploy/after-restore.sql for tests that have no psql: without its commands, and with the accounts that it keeps. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from '@roomkeeper/dev-env'

export async function afterRestoreScript(keep: string): Promise<string> {
  const script = await readFile(join(repository, 'deploy/after-restore.sql'), 'utf8')
  return script
    .replace(/^\\if[\s\S]*?^\\endif$/m, '')
    .replaceAll(/^\\.*$/gm, '')
    .replaceAll(/ \\gset$/gm, ';')
    .replaceAll(":'keep'", `'${keep}'`)
}
