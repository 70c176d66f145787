/** The API reference at /api/reference. */
import { expect, test } from '../fixtures.ts'

test('the API reference tries calls with a token that it forgets, and asks no other server', async ({
  network,
  page,
  baseURL,
}) => {
  const asked = new Set<string>()
  page.on('request', (request) => asked.add(new URL(request.url()).origin))
  await page.goto('/api/reference')
  await expect(page.getByRole('heading', { name: /Roomkeeper/ })).toBeVisible()

  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.getByRole('textbox', { name: 'auth-bearer-value' }).fill(network.admin.token)
  await page.getByRole('button', { name: 'Apply credentials' }).click()
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  const call = page.locator('#operations-Sessions-checkSession')
  await page.getByRole('link', { name: 'Sessions' }).click()
  await call.getByRole('button').first().click()
  await call.getByRole('button', { name: 'Try it out' }).click()
  await call.getByRole('button', { name: 'Execute' }).click()
  await expect(call.locator('.live-responses-table .response-col_status').last()).toContainText('200')

  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).toBe('[{},{}]')
  expect(await page.context().cookies()).toEqual([])
  expect([...asked]).toEqual([baseURL])
})
