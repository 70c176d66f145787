/** Every answer to the browser carries the request's id in the log: pages, scripts, calls, streams. */
import type { Response } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { listPath, rowOf } from '../room-list.ts'

// shows: wire-request-id
test('every answer that a page gets carries x-request-id, also of files', async ({ openAs, network, page }) => {
  await insertRooms(network, [{ name: 'seen' }])
  const answers: Response[] = []
  page.on('response', (answer) => answers.push(answer))
  await openAs('CLOUD_OPERATOR', listPath)
  await expect(rowOf(page, 'seen')).toBeVisible()
  await expect.poll(() => answers.some((answer) => answer.url().endsWith('/api/operator/events'))).toBe(true)
  const kinds = new Set(answers.map((answer) => answer.request().resourceType()))
  for (const kind of ['document', 'script', 'stylesheet', 'fetch']) expect(kinds).toContain(kind)
  const without = answers.filter((answer) => !/^[0-9a-f-]{36}$/.test(answer.headers()['x-request-id'] ?? ''))
  expect(without.map((answer) => answer.url())).toEqual([])
})
