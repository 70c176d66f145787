/** API tokens and webhooks: made, shown once, used and revoked; told, tried again and looked at; who sees what. */
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { listPath } from '../room-list.ts'

const tokensPath = '/project/tokens'

test('a token is made, shown once, used by a program, revoked, and its later use stands out', async ({
  openAs,
  network,
  baseURL,
  troubles,
}) => {
  const page = await openAs('CLOUD_OPERATOR')
  await page.getByRole('button', { name: /^Profile of / }).click()
  await page.getByRole('menuitem', { name: 'API tokens' }).click()
  await expect(page).toHaveURL(tokensPath)
  await expect(page.getByRole('heading', { name: 'No API tokens yet' })).toBeVisible()
  await page.getByRole('button', { name: 'New token' }).click()
  const form = page.getByRole('dialog', { name: 'New API token' })
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await expect(form.getByRole('radio')).toHaveCount(3)
  await form.getByRole('textbox', { name: 'Name' }).fill('Nightly export')
  await form.getByRole('textbox', { name: 'Only from these addresses or networks' }).fill('127.0.0.1\nhere')
  troubles.expect(/^POST \/api\/operator\/tokens 400$/)
  await form.getByRole('button', { name: 'Create token' }).click()
  await expect(form.getByRole('textbox', { name: /^Only from/ })).toHaveAccessibleDescription(/here is no address/)
  await form.getByRole('textbox', { name: /^Only from/ }).fill('127.0.0.0/8\n::1')
  await page.keyboard.press('Control+Enter')

  const shown = page.getByRole('dialog', { name: 'API token Nightly export' })
  const secret = await shown.getByRole('textbox', { name: 'Token' }).inputValue()
  expect(secret).toMatch(/^rk_[\w-]{49}$/)
  await expect(shown.getByRole('button', { name: 'Copy' })).toBeFocused()
  // Neither a key nor another page takes it away.
  await page.keyboard.press('Escape')
  await page.goBack()
  await expect(page).toHaveURL(listPath)
  await expect(shown.getByRole('textbox', { name: 'Token' })).toHaveValue(secret)
  await expectAccessible(page, 'a token that is shown once', '[role=dialog]')
  await page.goForward()
  await shown.getByRole('button', { name: 'Close' }).click()
  await expect(shown).toHaveCount(0)

  const ask = () => fetch(`${baseURL}/api/operator/caller`, { headers: { authorization: `Bearer ${secret}` } })
  expect(await (await ask()).json()).toMatchObject({ role: 0, token: { name: 'Nightly export' } })
  const row = page.getByRole('row', { name: /Nightly export/ })
  await expect(row).toContainText('Active')
  const reload = page.getByRole('button', { name: 'Refresh' })
  await expect(async () => {
    await reload.click()
    await expect(row).toContainText(/from (127\.0\.0\.1|::1)/, { timeout: 500 })
  }).toPass()

  await row.getByRole('button', { name: 'Revoke Nightly export' }).click()
  const question = page.getByRole('dialog', { name: 'Revoke API token Nightly export' })
  await expect(question).toContainText('Last used')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name: 'Revoke token' }).click()
  await expect(row).toContainText('Revoked')
  expect((await ask()).status).toBe(401)
  await expect(async () => {
    await reload.click()
    await expect(row).toContainText('1 call refused', { timeout: 500 })
  }).toPass()
  await expect(row).toContainText('It was revoked.')
  expect(await page.content(), 'the page has forgotten the token').not.toContain(secret)
  const { body } = await network.admin.call('audit', { query: { action: 'token.refused' } })
  expect(body.data[0]?.actor).toMatch(/\(token Nightly export\)$/)
})
