import { expect, test } from 'vitest'
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
