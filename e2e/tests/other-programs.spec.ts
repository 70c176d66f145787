/** API tokens and webhooks: made, shown once, used and revoked; told, tried again and looked at; who sees what. */
import type { Locator, Page } from '@playwright/test'
import type { WebhookDraft } from '@roomkeeper/contract'
import { startWebhookReceiver } from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { listPath } from '../room-list.ts'
import { toast } from '../toasts.ts'

const tokensPath = '/project/tokens'
const webhooksPath = '/project/webhooks'

test('a token is made, shown once, used by a program, revoked, and its later use stands out', async ({
  openAs,
  network,
  baseURL,
  browserErrors,
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
  browserErrors.expect(/^POST \/api\/operator\/tokens 400$/)
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

test('an administrator sees the tokens of everybody, own ones first, and revokes one of another', async ({
  openAs,
  network,
}) => {
  const support = await network.as('CLOUD_SUPPORT')
  await support.call('createToken', { body: { name: 'Reports', role: 'CLOUD_SUPPORT', networks: [] } })
  const page = await openAs('CLOUD_ADMINISTRATOR', tokensPath)
  const own = await network.as('CLOUD_ADMINISTRATOR')
  const soon = new Date(Date.now() + 49 * 60 * 60 * 1000).toISOString()
  const body = { name: 'Pipeline', role: 'CLOUD_SALES' as const, networks: ['192.0.2.0/24'], expiresAt: soon }
  await own.call('createToken', { body })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('rowheader')).toHaveText(['Pipeline', 'Reports'])
  await expect(page.getByRole('row', { name: /Pipeline/ })).toContainText('In 2 days')
  await page.getByRole('searchbox', { name: 'Name, owner or address' }).fill('support')
  await expect(page).toHaveURL(/[?&]search=support/)
  await expect(page.getByRole('rowheader')).toHaveText(['Reports'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: /Reports/ })).toBeFocused()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.getByRole('button', { name: /^Revoke Reports of / }).click()
  const question = page.getByRole('dialog', { name: 'Revoke API token Reports' })
  await expect(question).toContainText('It was never used.')
  await question.getByRole('button', { name: 'Revoke token' }).click()
  await expect(toast(page, 'Reports', 'The API token was revoked')).toBeVisible()
  await page.getByRole('combobox', { name: 'State' }).selectOption('Active')
  await expect(page.getByRole('heading', { name: 'No API token matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Reset filter' }).last().click()
  await expect(page.getByRole('rowheader')).toHaveText(['Pipeline', 'Reports'])
  await page.setViewportSize({ width: 768, height: 800 })
  for (const name of ['State', 'Last used', 'Refused', 'Expires'])
    await expect(page.getByRole('columnheader', { name })).toBeInViewport({ ratio: 1 })
  expect(await isCovered(page.getByRole('columnheader', { name: 'Expires' })), 'covered by the actions').toBe(false)
})

/** Whether something else is drawn over the right end of the element. */
function isCovered(part: Locator): Promise<boolean> {
  return part.evaluate((element) => {
    const { right, top, height } = element.getBoundingClientRect()
    return !element.contains(element.ownerDocument.elementFromPoint(right - 12, top + height / 2))
  })
}

test('a webhook is made and tested; what was not taken is seen and sent again', async ({ openAs, network }) => {
  const receiver = await startWebhookReceiver()
  const page = await openAs('CLOUD_OPERATOR')
  await page.getByRole('button', { name: /^Profile of / }).click()
  await page.getByRole('menuitem', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: 'New webhook' }).click()
  const form = page.getByRole('dialog', { name: 'New webhook' })
  const address = form.getByRole('textbox', { name: 'Address' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Chat')
  await address.fill('hooks.example')
  await form.getByRole('checkbox', { name: 'All events' }).uncheck()
  await form.getByRole('checkbox', { name: 'All events' }).blur()
  await expect(address).toHaveAccessibleDescription(/begins with https:\/\//)
  await expect(form.getByText('Please choose at least one event.')).toBeVisible()
  await address.fill(receiver.url)
  await form.getByRole('checkbox', { name: /^room\.created/ }).check()
  await page.keyboard.press('Control+Enter')
  const shown = page.getByRole('dialog', { name: 'Secret of the webhook Chat' })
  await expect(shown.getByRole('textbox', { name: 'Secret' })).toHaveValue(/^whsec_/)
  await shown.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Send a test to Chat' }).click()
  const tested = page.getByRole('dialog', { name: 'Test of the webhook Chat' })
  await expect(tested).toContainText(/The receiver has taken it: 200 within \d+ ms\./)
  receiver.behave('fail')
  await tested.getByRole('button', { name: 'Send a test' }).click()
  await expect(tested).toContainText(/The last try failed: 500 within \d+ ms/)
  await expectAccessible(page, 'a test that failed', '[role=dialog]')
  await tested.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('row', { name: /Chat/ })).toContainText('Failing')
  await expectAccessible(page, 'webhooks', 'main')

  const room = await network.newRoom()
  await page.keyboard.press('j')
  await expect(page.getByRole('row', { name: /Chat/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Deliveries to Chat' })).toBeVisible()
  await expect(page.getByText(receiver.url, { exact: true })).toBeVisible()
  await expect(page.getByText('room.created', { exact: true }).first()).toBeVisible()
  const row = page.getByRole('row', { name: new RegExp(room) })
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(row).toContainText(/Waiting.*500 within/, { timeout: 500 })
  }).toPass()
  await row.getByRole('button', { name: /^Send again/ }).click()
  const notTaken = toast(page, 'room.created', 'Not taken')
  await expect(notTaken).toBeVisible()
  const text = notTaken.getByText('Not taken', { exact: true })
  expect(await text.evaluate((line) => line.scrollWidth - line.clientWidth), 'what is cut of it').toBe(0)
  await row.focus()
  await page.keyboard.press('Enter')
  const sent = page.getByRole('region', { name: 'Sent' })
  await expect(sent).toContainText(`"name": "${room}"`)
  await expectAccessible(page, 'deliveries', 'main')
  receiver.behave('accept')
  await page.getByRole('button', { name: 'Send again', exact: true }).click()
  await expect(row).toContainText(/Delivered.*200 within/)
  const ofRoom = receiver.received.filter(({ body }) => body.includes(room))
  expect(new Set(ofRoom.map(({ headers }) => headers['webhook-id'])).size, 'one and the same event').toBe(1)
  await page.getByRole('combobox', { name: 'State' }).selectOption('Not delivered')
  await expect(page.getByRole('rowheader')).toHaveText(['webhook.test'])
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Edit webhook Chat' }).getByLabel('Address')).toHaveValue(receiver.url)
  await receiver.stop()
})

test('two who change a webhook at once both get their changes; its secret is renewed, it goes off and away', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(/^PUT \/api\/operator\/webhooks\/[^ ]+ 409$/)
  const draft: WebhookDraft = { name: 'Chat', url: 'https://hooks.example/a', events: ['region.down'], isOn: true }
  const { body: made } = await network.admin.call('createWebhook', { body: draft })
  const page = await openAs('CLOUD_OPERATOR', webhooksPath)
  await page.getByRole('button', { name: 'Edit Chat' }).click()
  const form = page.getByRole('dialog', { name: 'Edit webhook Chat' })
  await form.getByRole('checkbox', { name: /^region\.up/ }).check()
  await network.admin.call('changeWebhook', { params: { id: made.id }, body: { ...draft, name: 'Talk' } })
  await form.getByRole('button', { name: 'Save' }).click()
  const conflict = form.getByRole('alert', { name: 'The webhook was changed by somebody else meanwhile.' })
  await expect(conflict).toBeFocused()
  await expect(conflict.getByRole('row')).toHaveText([
    /Field/,
    'NameChatTalk',
    /Eventsregion.down, region.upregion.down/,
  ])
  await conflict.getByRole('button', { name: 'Keep mine on the new version' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Talk', 'The webhook was changed')).toBeVisible()
  await expect(page.getByRole('row', { name: /Talk/ })).toContainText('region.down, region.up')

  await page.getByRole('button', { name: 'Renew the secret of Talk' }).click()
  await answer(page, 'Renew secret')
  const shown = page.getByRole('dialog', { name: 'Secret of the webhook Talk' })
  await expect(shown).toContainText('For 24 hours the old one signs as well')
  expect(await shown.getByRole('textbox', { name: 'Secret' }).inputValue()).not.toBe(made.secret)
  await shown.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'Renew the secret of Talk' })).toBeFocused()
  await page.getByRole('button', { name: 'Switch Talk off' }).click()
  await expect(page.getByRole('row', { name: /Talk/ })).toContainText('Off')
  await page.getByRole('button', { name: 'Delete Talk' }).click()
  await answer(page, 'Delete webhook')
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible()
})

async function answer(page: Page, label: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: label }).click()
}

test('sales have tokens with at most their role, and neither see nor open webhooks', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', webhooksPath)
  await expect(page).toHaveURL(listPath)
  await page.getByRole('button', { name: /^Profile of / }).click()
  await expect(page.getByRole('menuitem', { name: 'API tokens' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Webhooks' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('API tokens')
  await page.getByRole('option', { name: 'API tokens' }).click()
  await expect(page).toHaveURL(tokensPath)
  await page.getByRole('button', { name: 'New token' }).click()
  const form = page.getByRole('dialog', { name: 'New API token' })
  await expect(form.getByRole('radio')).toHaveCount(2)
  await form.getByRole('combobox', { name: 'Expires' }).click()
  await page.getByRole('option', { name: 'On a certain day' }).click()
  await form.getByRole('textbox', { name: 'Last day' }).fill('31.02.2031')
  await form.getByRole('button', { name: 'Create token' }).click()
  await expect(form.getByRole('textbox', { name: 'Last day' })).toHaveAccessibleDescription(/dd\.MM\.yyyy/)
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
})
