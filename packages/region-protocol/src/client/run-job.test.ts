import { expect, onTestFinished, test, vi } from 'vitest'
import type { JobInfo } from '../jobs.ts'
import { RegionRefusal } from './errors.ts'
import { runJob } from './run-job.ts'

test('a result that is wrong all over is left at the first thing that is wrong', async () => {
  let looks = 0
  const databases = new Proxy(Array(1000).fill({}), {
    get(list, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) looks += 1
      return Reflect.get(list, name, receiver)
    },
  })
  const told = { id: 'job', type: 'restoreRoom', room: 'alpha', state: 'done', progress: 1, lines: [], error: null }
  const answer = async () => ({ ...told, result: { databases } }) as unknown as JobInfo
  const input = { type: 'restoreRoom', room: 'alpha', roomId: '00000000-0000-4000-8000-000000000000', file: 'file' }
  const ended = runJob({ startJobAndWait: answer, job: answer }, 'job', input as never, undefined, {})
  await expect(ended).rejects.toBeInstanceOf(RegionRefusal)
  expect(looks).toBe(1)
})

test.each([
  ['behind', -86_400_000],
  ['ahead', 86_400_000],
])(
  'a clock that jumps a day %s while a job is followed changes nothing',
  async (_, jump) => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    onTestFinished(() => clock.mockRestore())
    const told = { id: 'job', type: 'digestRoom', room: 'alpha', progress: 0, lines: [], error: null, result: null }
    const states = ['running', 'running', 'done']
    const answer = async () => {
      clock.mockReturnValue(Date.now() + jump)
      const state = states.shift()
      return { ...told, state, ...(state === 'done' ? { result: { digest: '0'.repeat(64) } } : {}) } as JobInfo
    }
    const input = { type: 'digestRoom', room: 'alpha', roomId: '00000000-0000-4000-8000-000000000000' } as const
    const ended = runJob({ startJobAndWait: answer, job: answer }, 'job', input, undefined, {})
    await expect(ended).resolves.toEqual({ digest: '0'.repeat(64) })
  },
  5000,
)
