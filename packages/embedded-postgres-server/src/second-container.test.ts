import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import {
  cleanups,
  hold,
  newDataDir,
  postmasterPid,
  run,
  settings,
  start,
  startInChild,
  testMilliseconds,
} from './start.test-support.ts'

const isRoot = process.getuid?.() === 0
const canUnshare =
  process.platform === 'linux' &&
  isRoot &&
  spawnSync('unshare', ['--pid', '--net', '--mount', '--fork', '--mount-proc', 'ip', 'link', 'set', 'lo', 'up'])
    .status === 0

describe.skipIf(!canUnshare)('a second container on the same volume', () => {
  it('is refused, and the PostgreSQL of the first goes on untouched', { timeout: testMilliseconds }, async () => {
    const dataDir = await newDataDir()
    const { url } = await start(dataDir)
    const before = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
    const words = await wordsOfContainer(dataDir, { patience: 0 })
    expect(words).toMatch(
      /postgres is in use by another PostgreSQL, in another container, started on .+ Two must never/,
    )
    expect(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).toBe(before)
    expect(await run(url, 'select 1 as up')).toEqual([{ up: 1 }])
  })

  it('is refused through another mount, and also when the program of the first was killed', {
    timeout: testMilliseconds,
  }, async () => {
    const dataDir = await newDataDir()
    const { child, url } = await startInChild(dataDir)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const words = await wordsOfContainer(dataDir, { patience: 0, mount: true })
    expect(words).toContain('is in use by another PostgreSQL')
    expect(await run(url, 'select 1 as up')).toEqual([{ up: 1 }])
    await start(dataDir)
  })

  it('waits for the first to end, and finds what it stored', { timeout: testMilliseconds }, async () => {
    const dataDir = await newDataDir()
    const first = await start(dataDir)
    await run(first.url, 'create table kept (n integer); insert into kept values (1)')
    const second = startContainer(dataDir, { patience: 120 })
    await second.said('waiting for the data folder')
    await first.stop()
    const url = await second.said('postgres://')
    expect(url).toContain('@127.0.0.1:')
    second.child.stdin?.end()
    await second.ended
    const third = await start(dataDir)
    expect(await run(third.url, 'select n from kept')).toEqual([{ n: 1 }])
  })

  it('starts where the first was killed as a whole, whatever number its PostgreSQL had', {
    timeout: testMilliseconds,
  }, async () => {
    const dataDir = await newDataDir()
    const first = startContainer(dataDir, { patience: 0 })
    await first.said('postgres://')
    // When the first process of a process namespace ends, all its others end too.
    first.child.kill('SIGKILL')
    await first.ended
    const stale = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
    expect(Number(stale.split('\n')[0])).toBeGreaterThan(0)
    const { url } = await start(dataDir)
    expect(await run(url, 'select 1 as up')).toEqual([{ up: 1 }])
  })

  it('that shares the network shares the PostgreSQL, and does not stop what it cannot see', {
    timeout: testMilliseconds,
  }, async () => {
    const dataDir = await newDataDir()
    const { child, url } = await startInChild(dataDir)
    const before = await postmasterPid(dataDir)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const second = startContainer(dataDir, { patience: 0, sharesNetwork: true })
    expect(await second.said('postgres://')).toBe(url)
    second.child.stdin?.end()
    await second.ended
    expect(await run(url, 'select 1 as up')).toEqual([{ up: 1 }])
    expect(await postmasterPid(dataDir)).toBe(before)
    await start(dataDir)
  })
})

interface Container {
  child: ChildProcess
  /** Waits for a line with these words. */
  said(words: string): Promise<string>
  ended: Promise<unknown>
  words(): string
}

/** A program in namespaces of its own for processes and, unless `sharesNetwork`, the network, as in a container. */
function startContainer(
  dataDir: string,
  given: { patience: number; mount?: boolean; sharesNetwork?: boolean },
): Container {
  const inside = given.mount ? join(dataDir, '..', `mounted-${basename(dataDir)}`) : dataDir
  const options = JSON.stringify({ dataDir: inside, settings, patienceSeconds: given.patience })
  const steps = [
    given.sharesNetwork ? 'true' : 'ip link set lo up',
    given.mount ? `mkdir -p ${inside} && mount --bind ${dataDir} ${inside}` : 'true',
    `exec ${process.execPath} ${hold} '${options}'`,
  ]
  if (given.mount) cleanups.push(() => rm(inside, { recursive: true, force: true }))
  const namespaces = ['--pid', '--mount', '--ipc', ...(given.sharesNetwork ? [] : ['--net']), '--fork', '--kill-child']
  const child = spawn('unshare', [...namespaces, '--mount-proc', 'sh', '-c', steps.join(' && ')], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  cleanups.push(async () => child.kill('SIGKILL'))
  const lines: string[] = []
  const heard = new EventEmitter()
  for (const output of [child.stdout, child.stderr]) {
    createInterface(output).on('line', (line) => {
      lines.push(line)
      heard.emit('line')
    })
  }
  const ended = once(child, 'close').finally(() => heard.emit('line'))
  return {
    child,
    ended,
    words: () => lines.join('\n'),
    async said(words) {
      for (;;) {
        const line = lines.find((each) => each.includes(words))
        if (line !== undefined) return line
        if (child.exitCode !== null) throw new Error(`It ended without '${words}':\n${lines.join('\n')}`)
        await once(heard, 'line')
      }
    },
  }
}

async function wordsOfContainer(dataDir: string, given: Parameters<typeof startContainer>[1]): Promise<string> {
  const container = startContainer(dataDir, given)
  await container.ended
  return container.words()
}
