/** Ends the session of a page at a moment of the test, which its event stream would otherwise notice by itself. */
import { expect, type Page } from '@playwright/test'
import { cookie } from './cookies.ts'

type HeldCalls = [release: () => void, count: () => number]

/** Ends the session on the server. The page does not notice until the calls that it holds back are released. */
export async function endSessionUnnoticed(page: Page): Promise<HeldCalls> {
  const held = await holdCalls(page)
  const headers = { authorization: `Bearer ${await cookie(page, 'OperatorData')}` }
  const answer = await page.request.post('/api/operator/sessions', { headers })
  expect(answer.status()).toBe(204)
  return held
}

/** Holds back every call of the page. @returns a function that releases them, and one that counts them */
export async function holdCalls(page: Page): Promise<HeldCalls> {
  let count = 0
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/operator/**', async (route) => {
    count += 1
    await gate.promise
    await route.continue()
  })
  return [gate.resolve, () => count]
}
