/** The API reference at /api/reference. */
import { expectReadable } from '../accessibility.ts'
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

test('the API reference follows the colour scheme of the system, and can be read in both', async ({ page }) => {
  await page.goto('/api/reference')
  await page.getByRole('link', { name: 'Operators' }).click()
  const call = page.locator('.opblock-put')
  await call.getByRole('button').first().click()
  await call.getByRole('button', { name: 'Try it out' }).click()
  await expect(call.getByRole('button', { name: 'Execute' })).toBeVisible()
  await page.getByRole('button', { name: 'Schemas' }).click()
  await page.locator('.models').getByRole('button', { name: 'Expand all' }).nth(1).click()
  // Each of the many other answers looks like the first ones.
  const answers = '.opblock-put .response:nth-child(-n + 2)'
  await expectReadable(
    page,
    'the page',
    `.info, .scheme-container, .opblock-summary, .opblock-section, ${answers}, .models`,
  )
  await page.getByRole('button', { name: 'Authorize' }).click()
  await expectReadable(page, 'the form for a token', '.dialog-ux')
})
