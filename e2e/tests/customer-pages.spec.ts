/** What customers see: the way to their room, notifications, and nothing else during maintenance. */
import { startPathProxy } from '@roomkeeper/dev-env'
import { startComponentServer } from '../component-server.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'

const day = 24 * 3600 * 1000
const inForce = {
  startDate: new Date(Date.now() - day).toISOString(),
  endDate: new Date(Date.now() + day).toISOString(),
}

// shows: root-paths, customer-login
test('the empty path leads to the login, which asks for the room and sends the browser to it', async ({
  page,
  network,
  browserErrors,
}) => {
  browserErrors.expect(/^POST \/api\/customer\/room 404/)
  const name = await network.newRoom()
  await page.goto('/')
  await expect(page).toHaveURL('/login')
  await expect(page).toHaveTitle('Log in to your project room · Roomkeeper')
  const field = page.getByRole('textbox', { name: 'Project room name' })
  await expect(field).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Please enter the project room name.')
  await field.fill('nosuchroom')
  await page.keyboard.press('Enter')
  await expect(field).toHaveAccessibleDescription('There is no project room of this name.')
  await expect(field).toBeFocused()

  await field.fill(name.toUpperCase())
  await page.getByRole('button', { name: 'To the project room' }).click()
  await expect(page).toHaveURL(`${network.regions[0]?.url}/${name}`)
})

// shows: notice-popup
test('notifications in force stand on the page, those for a popup open once', async ({ page, network }) => {
  const add = (message: string, displayPopup: boolean) =>
    network.admin.call('createNotification', { body: { ...inForce, message, displayPopup } })
  await add('<p>Version <strong>12</strong> is here, <a href="https://example.com/news">read on</a>.</p>', false)
  await add('<h2>Downtime</h2><p>On Sunday from 8 to 9.</p>', true)
  await page.goto('/login')
  const popup = page.getByRole('dialog', { name: 'Notifications' })
  await expect(popup).toContainText('On Sunday from 8 to 9.')
  await page.keyboard.press('Escape')
  await expect(popup).toBeHidden()
  const list = page.getByRole('region', { name: 'Notifications' })
  await expect(list).toContainText('Version 12 is here')
  await expect(list.getByRole('link')).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await page.reload()
  await expect(list).toBeVisible()
  await expect(popup).toHaveCount(0)
})

// shows: maintenance-visitors
test('during maintenance all customer-facing pages show the message, and operators still get in', async ({
  page,
  network,
}) => {
  const maintenanceMessage = 'We are back at noon.\nThank you for your patience.'
  await network.admin.call('saveMaintenance', { body: { maintenanceMode: true, maintenanceMessage } })
  for (const path of ['/login', '/forgot_password', '/reset_password', '/forgot_project_room_name']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Temporarily Down for Maintenance' })).toBeVisible()
    await expect(page.getByRole('status')).toHaveText(maintenanceMessage)
    await expect(page.getByRole('textbox')).toHaveCount(0)
  }
  await page.getByRole('link', { name: 'Operator login' }).click()
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
})

test('forgotten names are sent by e-mail, with the same words for every address', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot project room name?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot project room name' })).toBeVisible()
  const field = page.getByRole('textbox', { name: 'E-mail address' })
  await field.fill('nonsense')
  await page.keyboard.press('Enter')
  await expect(field).toHaveAccessibleDescription('Please enter a valid e-mail address.')
  await field.fill('nobody@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText(
    'If nobody@example.com is the owner or delegate of project rooms, their names are on the way by e-mail.',
  )
})

// shows: customer-password-pages
test('the password pages lead to the room, where passwords are kept', async ({ page, network }) => {
  await insertRooms(network, [{ name: 'myroom' }])
  for (const [path, title] of [
    ['/forgot_password', 'Forgot password'],
    ['/reset_password', 'Reset password'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Project room name' })).toBeVisible()
  }
})

// shows: languages-menu, language-cookie
test('the language is chosen from those of the server, at once, and kept', async ({ page, context }) => {
  await page.goto('/login')
  const language = page.getByRole('combobox', { name: 'Language' })
  await expect(language.getByRole('option')).toHaveText(['English', 'Deutsch'])
  await page.evaluate('globalThis.notReloaded = true')
  await language.selectOption('Deutsch')
  await expect(page.getByRole('heading', { name: 'Anmeldung im Projektraum' })).toBeVisible()
  await expect(page).toHaveTitle('Anmeldung im Projektraum · Roomkeeper')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  expect(await page.evaluate('globalThis.notReloaded')).toBe(true)
  const kept = await context.cookies()
  for (const name of ['language', 'language_secure']) {
    const cookie = kept.find((each) => each.name === name)
    expect(cookie).toMatchObject({ value: 'de', secure: name === 'language_secure' })
    // 500 days; browsers keep no cookie for longer than 400.
    expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(399 * 24 * 3600)
  }
  await page.goto('/project/operator')
  await expect(page.getByRole('heading', { name: 'Anmeldung für Operatoren' })).toBeVisible()
})

test('a language that was added on the server is offered and spoken without a new console', async ({ page }) => {
  const languages = [
    { localeKey: 'mcp_ui', file: '/languages/mcp_ui.json' },
    { localeKey: 'fr', file: '/languages/fr.json' },
  ]
  await page.route('/api/customer/languages', (route) => route.fulfill({ json: languages }))
  const french = { customers: { login: { title: 'Connexion à votre espace' } } }
  await page.route('/languages/fr.json', (route) => route.fulfill({ json: french }))
  await page.goto('/login')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Français')
  await expect(page.getByRole('heading', { name: 'Connexion à votre espace' })).toBeVisible()
  // Texts that the translation lacks are in English.
  await expect(page.getByRole('button', { name: 'To the project room' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Connexion à votre espace' })).toBeVisible()
})

// shows: C-customerComponent, customer-component
test('the embedded component takes the place of the built-in page, only there, and only from its origin', async ({
  page,
  network,
  browserErrors,
}) => {
  const component = await startComponentServer()
  const proxy = await startPathProxy()
  const address = proxy.url
  const server = await network.addServer({
    PROCESS: 'api',
    BACKUP_STORE: `${network.dir}/server/backups`,
    CUSTOMER_COMPONENT_URL: component.url,
    PUBLIC_URL: address,
  })
  proxy.target = server.address
  const frame = page.frameLocator('iframe')
  await page.goto(`${address}/`)
  await expect(frame.getByRole('heading', { name: 'Embedded login in en' })).toBeVisible()
  await frame.getByRole('link', { name: 'Page' }).click()
  await expect(page).toHaveURL(`${address}/forgot_password`)
  await expect(frame.getByRole('heading', { name: 'Embedded forgot_password in en' })).toBeVisible()
  await expect(page.getByRole('textbox')).toHaveCount(0)
  const scriptsOf = async (path: string) => {
    const policy = (await fetch(address + path)).headers.get('content-security-policy') ?? ''
    return /script-src ([^;]*)/.exec(policy)?.[1]
  }
  expect(await scriptsOf('/customer_component')).toMatch(new RegExp(`^${new URL(component.url).origin} 'sha256-\\S+'$`))
  for (const path of ['/', '/login', '/reset_password']) expect(await scriptsOf(path)).toBe("'self'")
  expect(await scriptsOf('/project/operator')).toBe("'self'")

  const maintenance = { maintenanceMode: true, maintenanceMessage: 'Later.' }
  await network.admin.call('saveMaintenance', { body: maintenance })
  await page.reload()
  await expect(page.getByRole('status')).toHaveText('Later.')
  await network.admin.call('saveMaintenance', { body: { ...maintenance, maintenanceMode: false } })

  browserErrors.expect(/ERR_CONNECTION_REFUSED|customer\.js/)
  await component.stop()
  await page.goto(`${address}/login`)
  await expect(page.getByRole('heading', { name: 'Log in to your project room' })).toBeVisible()
  await proxy.stop()
})

test('a hostile component reaches neither token, storage nor page, nor the operators’ calls, and leaves only for rooms', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const component = await startComponentServer()
  const { address } = await network.addServer({
    PROCESS: 'api',
    BACKUP_STORE: `${network.dir}/server/backups`,
    CUSTOMER_COMPONENT_URL: component.hostileUrl,
  })
  // Cookies do not distinguish ports, so this operator is signed in at both servers.
  const page = await openAs('CLOUD_ADMINISTRATOR')
  browserErrors.expect(
    /sandbox|Blocked|CORS|Content Security Policy|net::ERR_FAILED|Unsafe attempt|40[134]|Refused|Failed to load/i,
  )
  const nothing = {
    cookie: 'SecurityError',
    'stored lists': 'SecurityError',
    'session storage': 'SecurityError',
    database: 'SecurityError',
    opener: 'NoOpener',
    'window of its own': 'Blocked',
    'operator call': 'TypeError',
    'console page': 'TypeError',
    'foreign call': 'TypeError',
  }
  await insertRooms(network, [{ name: 'myroom' }])
  await page.goto(`${address}/login`)
  const frame = page.frameLocator('iframe')
  await expect(frame.locator('pre')).not.toBeEmpty()
  expect(JSON.parse((await frame.locator('pre').textContent()) ?? '')).toEqual({
    ...nothing,
    'page around it': 'SecurityError',
    'address of the page': 'SecurityError',
    'customer call': 'got answered',
  })
  await expect(page).toHaveURL(`${address}/login`)

  await frame.getByLabel('Room').fill('nosuchroom')
  await frame.getByLabel('Room').press('Enter')
  await expect(frame.getByRole('heading')).toHaveText('{"roomkeeper":"refused","why":"unknown-room"}')
  await frame.getByRole('link', { name: 'Page' }).click()
  await expect(page).toHaveURL(`${address}/forgot_password`)
  await expect(frame.locator('pre')).not.toBeEmpty()
  await frame.getByLabel('Room').fill('myroom')
  await frame.getByLabel('Room').press('Enter')
  await expect(page).toHaveURL(`${network.regions[0]?.url}/myroom`)

  // Opened by itself it is no better off.
  await page.goto(`${address}/customer_component?page=login`)
  await expect(page.locator('pre')).not.toBeEmpty()
  expect(JSON.parse((await page.locator('pre').textContent()) ?? '')).toMatchObject(nothing)
  await component.stop()
})

// shows: root-title
test('every start asks for the maintenance setting, and has a title in the language of the browser’s cookie', async ({
  page,
  context,
  network,
}) => {
  await context.addCookies([{ name: 'language', value: 'de', url: network.server.address }])
  const asked = page.waitForRequest('**/api/maintenanceMode')
  await page.goto('/project/operator')
  await asked
  await expect(page).toHaveTitle('Anmeldung für Operatoren · Roomkeeper')
})
