/** Answers of a region that would fill the console's memory, read by a process that has little memory. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { jobTypes } from '@roomkeeper/region-protocol'
import { expect, test } from 'vitest'
import { listOf, longestList, startGreedyRegion } from './greedy-region.ts'
import { newCreation, toldRoom } from './region-process.ts'

const asking = fileURLToPath(new URL('./ask-greedy-region.ts', import.meta.url))

/** How each call ended, by its name. */
async function askAll(bodyOf: (path: string) => string): Promise<Record<string, unknown>> {
  const region = await startGreedyRegion(bodyOf)
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=256', asking, region.url])
    return Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as [string, unknown]),
    )
  } finally {
    await region.stop()
  }
}

const expectRefusals = (ended: Record<string, unknown>) => {
  expect(Object.keys(ended).length).toBe(20)
  expect(ended).toEqual(Object.fromEntries(Object.keys(ended).map((name) => [name, 502])))
}

test('an answer of the greatest length is refused by every call, wherever its list stands, and nobody dies of it', async () => {
  expectRefusals(await askAll(() => longestList))
  expectRefusals(await askAll((path) => answerInstead(path, longestList)))
}, 120_000)

test('a list longer than any honest one is refused by every call before its elements are looked at', async () => {
  expectRefusals(await askAll((path) => answerInstead(path, listOf('{}', 400_000))))
}, 120_000)

test('lists in lists that are wrong all over are left at the first thing that is wrong', async () => {
  const room = (change: object) => ({ ...toldRoom, ...change })
  const { roomId: _, product: __, edition: ___, ...settings } = newCreation()
  const wrong = Array(900).fill(0)
  const pages = [
    Array(1000).fill(room({ databases: wrong })),
    Array(1000).fill(room({ settings: { ...settings, licences: wrong } })),
  ]
  for (const rooms of pages) {
    const ended = await askAll(() => JSON.stringify({ rooms, next: null }))
    expect(ended.rooms).toBe(502)
  }
}, 120_000)

const job = { id: 'job', type: jobTypes[0], room: 'alpha', state: 'done', progress: 1, lines: [], error: null }
const settings = '"contacts":{},"subMiningType":"NONE","expirationDate":null'

/** An answer to this path with `list` in place of its list. */
function answerInstead(path: string, list: string): string {
  const within = (object: object, more: string) => `${JSON.stringify(object).slice(0, -1)},${more}}`
  if (path === 'status') return `{"products":${list}}`
  if (path.startsWith('rooms?')) return `{"rooms":${list},"next":null}`
  if (path.startsWith('routes?')) return `{"routes":${list},"next":null}`
  if (path.startsWith('jobs/job')) return within(job, `"lines":${list}`)
  if (path === 'jobs/result') return within(job, `"result":{"databases":${list}}`)
  if (/^rooms\/alpha\/(sessions|licences|databases)$/.test(path)) return list
  if (/^rooms\/alpha$/.test(path)) return within(toldRoom, `"databases":${list}`)
  if (path.startsWith('rooms/alpha/')) return within(toldRoom, `"settings":{"licences":${list},${settings}}`)
  return `{"lines":${list}}`
}
