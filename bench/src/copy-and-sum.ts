/** What moving files is compared with: `cp` and `sha256sum` of the same files. */
import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { timed } from './measure.ts'

/** @param copies the folder for the copies, which is removed afterwards @returns seconds */
export async function copyAndSum(paths: readonly string[], copies: string): Promise<number> {
  const milliseconds = await timed(async () => {
    run('mkdir', [copies])
    run('cp', ['-r', ...paths, copies])
    run('sh', ['-c', 'find "$1" -type f -print0 | xargs -0 sha256sum > /dev/null', 'sh', copies])
  })
  await rm(copies, { recursive: true })
  console.error(`cp, sha256sum: ${(milliseconds / 1000).toFixed(1)} s`)
  return milliseconds / 1000
}

function run(program: string, args: string[]): void {
  if (spawnSync(program, args, { stdio: 'ignore' }).status !== 0) throw new Error(`${program} failed.`)
}
