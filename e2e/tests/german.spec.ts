/** The console in German. */
import { roomDraft } from '@roomkeeper/dev-env'
import { createPath, field, fillAndBlur } from '../create-form.ts'
import { editPath } from '../edit-room.ts'
import { setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { listPath, rowOf } from '../room-list.ts'

test('the language is switched without a reload, remembered, and spoken by list, form and sign-in', async ({
  openAs,
  network,
  context,
}) => {
  await insertRooms(network, [{ name: 'raum', licences: { YABD: 1234 }, createdAt: '2026-03-05T12:00:00Z' }])
  const page = await openAs('CLOUD_OPERATOR')
  await page.getByRole('button', { name: 'Language: EN' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await expect(page.getByRole('heading', { name: 'Projekträume', exact: true })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(rowOf(page, 'raum').getByText('Unbegrenzt')).toBeVisible()
  await expect(rowOf(page, 'raum').getByText('05.03.2026')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Lizenzen' })).toContainText('1.234')
  const [cookie] = (await context.cookies()).filter((each) => each.name === 'language')
  expect(cookie?.value).toBe('de')
  expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(399 * 24 * 3600)

  // Numbers within a text, too.
  await page.goto('/project/administration?backup=1000')
  await expect(page.getByText('Letzte Sicherung: älter als 1.000 Tage oder keine')).toBeVisible()

  await page.getByRole('link', { name: 'Neuer Projektraum' }).click()
  await expect(page.getByRole('heading', { name: 'Projektraum anlegen' })).toBeVisible()
  await fillAndBlur(field(page, 'Name des Projektraums'), 'X')
  await expect(field(page, 'Name des Projektraums')).toHaveAccessibleDescription('Name des Projektraums ungültig')

  await page.goto(createPath)
  await expect(page.getByRole('heading', { name: 'Projektraum anlegen' })).toBeVisible()
  await page.getByRole('button', { name: /^Profil von / }).click()
  await page.getByRole('menuitem', { name: 'Abmelden' }).click()
  await expect(page.getByRole('heading', { name: 'Anmeldung für Operatoren' })).toBeVisible()
  await expect(page.getByRole('alert').getByText('Bis bald')).toBeVisible()
})

test('what a rule, the server and a region refuse is told in German; what only they know, in their own words', async ({
  openAs,
  network,
  context,
  browserErrors,
}) => {
  const failed = roomDraft()
  await setFaults(network, failed.tenantName, [{ method: 'PUT', action: 'status', status: 400 }])
  await network.admin.call('createRoom', { body: failed })
  await network.newRoom({ sapNumber: 'taken-1' })
  const name = await network.newRoom()
  await context.addCookies([{ name: 'language', value: 'de', url: network.server.address }])
  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  const sapNumber = field(page, 'Neue SAP-Vertragsnummer')
  const submit = page.getByRole('button', { name: 'Änderungen absenden' })
  const designers = field(page, 'Designer')
  await fillAndBlur(designers, '0')
  await expect(designers).toHaveAccessibleDescription('Die Anzahl der Designer-Lizenzen muss mindestens 1 sein')
  await fillAndBlur(designers, '1')

  browserErrors.expect(/^POST \/api\/operator\/edit 409$/)
  await sapNumber.fill('taken-1')
  await submit.click()
  await expect(sapNumber).toHaveAccessibleDescription(
    'Diese SAP-Vertragsnummer wird schon von einem anderen Projektraum verwendet.',
  )

  const words = { title: 'Of tomorrow', status: 409, detail: 'The words of the server.', instance: '/', params: {} }
  await page.route('**/api/operator/edit', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: 'urn:roomkeeper:from-tomorrow', ...words }),
    }),
  )
  await sapNumber.fill('free-1')
  await submit.click()
  await expect(page.getByRole('alert').getByText('The words of the server.')).toBeVisible()

  const inWordsOfRegion = 'Die Region region-1 meldet: „.+“'
  await setFaults(network, name, [{ method: 'POST', rest: '/suspend', action: 'status', status: 400 }])
  browserErrors.expect(/^POST \/api\/operator\/suspend 50\d$/)
  await page.getByRole('button', { name: 'Anhalten', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Ja' }).click()
  await expect(
    dialog.getByText(new RegExp(`^${inWordsOfRegion} Der Projektraum ist aktiv wie zuvor\\.$`)),
  ).toBeVisible()
  await page.goto(listPath)
  await rowOf(page, failed.tenantName)
    .getByRole('button', { name: /Fehler/ })
    .click()
  await expect(dialog.getByText(new RegExp(`^${inWordsOfRegion}$`))).toBeVisible()
  const log = dialog.getByRole('region', { name: 'Protokoll' })
  await expect(log.getByText(new RegExp(`^Raum in der Region anlegen: ${inWordsOfRegion}$`))).toBeVisible()
})

test('a region that refuses its stored login is named, in the room, in monitoring and in the history; processes are found by their German names', async ({
  openAs,
  network,
  context,
}) => {
  const { rows } = network.database
  const [region] = await rows<{ name: string }>('select user_name as name from regions where id = 1')
  await rows(`update regions set user_name = 'nobody' where id = 1`)
  const body = roomDraft({ region: 1 })
  try {
    await network.admin.call('createRoom', { body })
    await network.settle()
  } finally {
    await rows('update regions set user_name = $1 where id = 1', [region?.name])
  }
  const { body: room } = await network.admin.call('room', { query: { projectRoom: body.tenantName } })
  expect(room.errorMessage).toContain('Region region-1 refused the stored user name or password.')
  await context.addCookies([{ name: 'language', value: 'de', url: network.server.address }])
  const page = await openAs('CLOUD_OPERATOR', editPath(body.tenantName, 'history'))
  const refused = /Die Region region-1 lehnt den gespeicherten Benutzernamen oder das gespeicherte Passwort ab/
  const entry = page.getByRole('list', { name: 'Aktivität' }).locator('> li').first()
  await expect(entry).toContainText(/: Anlegen \w+Fehlgeschlagen/)
  await expect(entry).toContainText(refused)

  // The next step, for those who may change a region.
  await entry.getByRole('link', { name: 'Beides in den Einstellungen der Region prüfen →' }).click()
  await expect(page).toHaveURL(/[?&]cloud=regions/)
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Regionen', exact: true })).toHaveAttribute(
    'aria-expanded',
    'true',
  )

  await page.goto('/project/administration')
  await page.getByRole('button', { name: 'Konfiguration', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Überwachung' }).click()
  await dialog.getByRole('searchbox', { name: 'Suche' }).fill('vergeben')
  await expect(dialog.getByRole('rowheader')).toHaveText([body.tenantName])
  const row = dialog.getByRole('row').nth(1)
  await expect(row).toContainText('Name schon vergeben?')
  await expect(row).toContainText(refused)

  await openAs('CLOUD_SALES', `/project/administration?q=${body.tenantName}`)
  await page
    .getByRole('row')
    .filter({ hasText: body.tenantName })
    .getByRole('button', { name: /Fehler/ })
    .click()
  const failure = page.getByRole('dialog')
  await expect(failure).toContainText(
    'Bitten Sie die Administration, beides in den Einstellungen der Region zu prüfen.',
  )
  await expect(failure.getByRole('link')).toHaveCount(0)
})
