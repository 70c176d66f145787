/** Every answer to the browser carries the request's id in the log: pages, scripts, calls, streams. */
import type { Response } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { listPath, rowOf } from '../room-list.ts'

// shows: wire-request-id, trace-one
test('every answer that a page gets carries x-request-id, also of files, and each call begins a trace', async ({
  openAs,
  network,
  page,
}) => {
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
  const calls = answers.filter((answer) => answer.url().includes('/api/operator/get_tenants'))
  const traces = calls.map((answer) => answer.request().headers().traceparent)
  expect(traces.length).toBeGreaterThan(0)
  for (const trace of traces) expect(trace).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  expect(new Set(traces).size, 'each call begins a trace').toBe(traces.length)
})
