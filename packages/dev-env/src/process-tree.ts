/** Processes and those that they have started. Linux only. */
import { readdir, readFile } from 'node:fs/promises'

/** The processes that any thread of this one has started and that have not been waited for. */
export async function childrenOf(pid: number | undefined): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''))
  return (await Promise.all(lists)).flatMap((text) => text.trim().split(' ').filter(Boolean).map(Number))
}

/** Does nothing when the process has ended. */
export function sendSignal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Ends a process and all below it at once, as the end of a container does: none of them sees another one end. */
export async function killTree(pid: number | undefined): Promise<void> {
  const killed = await stopTree(pid)
  for (const each of killed.reverse()) sendSignal(each, 'SIGKILL')
}

/** Lets a process that was stopped go on, with those below it. */
export async function continueTree(pid: number | undefined): Promise<void> {
  if (pid === undefined) return
  await Promise.all((await childrenOf(pid)).map(continueTree))
  sendSignal(pid, 'SIGCONT')
}

/** Stops a process, then those below it, so that it starts no more of them. @returns all of them */
export async function stopTree(pid: number | undefined): Promise<number[]> {
  if (pid === undefined) return []
  sendSignal(pid, 'SIGSTOP')
  const below = await Promise.all((await childrenOf(pid)).map(stopTree))
  return [pid, ...below.flat()]
}
