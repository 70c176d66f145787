/** What a process costs, as Linux tells it. */
import { readFileSync } from 'node:fs'

/** CPU time since the process began, in milliseconds. */
export function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** What the machine would have more without the process, in MiB: what it shares with others does not count. */
export function privateMegabytesOf(pid: number | undefined): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kilobytes = [...text.matchAll(/^Private_\w+: +(\d+)/gm)].map(([, number]) => Number(number))
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024
}
