/** Runs `npm run doctor` as a real program. */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import type { Finding } from '@roomkeeper/contract'
import { compileCache, repository } from './process-under-test.ts'
import { programUnderTest } from './program-under-test.ts'

export interface DoctorsReport {
  rooms: number
  findings: Finding[]
  seconds: number
  exitCode: number
}

const mostOutputBytes = 64 * 2 ** 20

/**
 * @param env the settings of the server
 * @param started called with the id of the program's process
 * @throws Error with the program's output, when the run failed
 */
export async function callDoctor(env: Record<string, string>, started?: (pid: number) => void): Promise<DoctorsReport> {
  const program = resolve(repository, await programUnderTest('server', 'src/app/doctor.ts'))
  return new Promise((resolveReport, reject) => {
    const child = execFile(
      process.execPath,
      ['--disable-warning=DeprecationWarning', program, '--json'],
      {
        cwd: repository,
        env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, ...env },
        maxBuffer: mostOutputBytes,
      },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : Number(error.code)
        if (exitCode === 0 || exitCode === 1) resolveReport({ ...JSON.parse(stdout), exitCode })
        else reject(new Error(`The doctor could not look (${exitCode}): ${stderr}`))
      },
    )
    if (child.pid !== undefined) started?.(child.pid)
  })
}
