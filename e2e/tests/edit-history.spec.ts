/** The activity: who did what, when, what it changed, and undoing it. */

import { administrator } from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { field } from '../create-form.ts'
import { editPath, submitChanges } from '../edit-room.ts'
import { expect, test } from '../fixtures.ts'

test('tells who changed what from what to what, and what ran', async ({ openAs, network }) => {
  const name = await network.newRoom({ edition: 'advanced', licenses: { YAAD: 1 } })
  const sales = await network.as('CLOUD_SALES')
  const { body: room } = await sales.call('room', { query: { projectRoom: name } })
  const changes = { companyName: 'New Company', expirationDate: '2099-01-31', sapNumberLast: `SAP ${name}` }
  const licences = { licenses: { ...room.licenses, YAAD: 3 }, licensesInformation: [] }
  await sales.call('editRoom', { body: { ...room, ...changes, ...licences } })

  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  await page.getByRole('tab', { name: 'Activity' }).click()
  const entries = page.getByRole('list', { name: 'Activity' }).locator('> li')
  await expect(entries).toHaveCount(2)
  await expect(entries.first()).toContainText(`cloud.sales@example.com changed ${name}`)
  const rows = await entries
    .first()
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((each) => each.textContent).join('|')))
  expect(rows.sort()).toEqual([
    'Company name|Example, Inc.|New Company',
    'Designer|1|3',
    'Expiration date|Unlimited|31.01.2099',
    `New SAP contract number|–|SAP ${name}`,
  ])
  await network.database.rows(
    `insert into operation_log (operation_id, n, level, text)
     select operation_id, 1000 + n, 'info', 'Line ' || n from audit, generate_series(1, 1200) as n
      where room_name = $1 and action = 'room.create'`,
    [name],
  )
  await entries.last().getByRole('button', { name: 'Show log' }).click()
  await expect(entries.last().getByRole('list', { name: 'Steps' })).toBeVisible()
  // Only the end of a very long log is drawn at first.
  const log = entries.last().getByRole('region', { name: 'Log' })
  await expect(log.getByText('Line 1200', { exact: true })).toBeVisible()
  await expect(log.getByText('Line 700', { exact: true })).toHaveCount(0)
  await log.getByRole('button', { name: /^Show \d+ earlier lines$/ }).click()
  await expect(log).toBeFocused()
  await expect(log.getByText('Line 1', { exact: true })).toBeAttached()
  await expect(log.getByRole('button')).toHaveCount(0)
})

test('is there for support, without logs, and comes in pages', async ({ openAs, network }) => {
  const name = await network.newRoom()
  await network.database.rows(
    `insert into audit (actor, action, room_id, room_name, changes)
     select 'system', 'room.suspend', id, name, case n when 24 then $2 else '[]' end::jsonb
      from rooms, generate_series(1, 24) as n where name = $1`,
    [name, JSON.stringify([{ field: 'customerEmail', from: 'olga\u200b@example.com', to: 'olga@example.com' }])],
  )
  const page = await openAs('CLOUD_SUPPORT', editPath(name, 'history'))
  await expect(page.getByText('1–20 of 25')).toBeVisible()
  // A character that nobody sees is what has changed.
  await expect(page.getByText('olga⟨U+200B⟩@example.com')).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(`${editPath(name, 'history')}&page=2`)
  await expect(page.getByText('21–25 of 25')).toBeVisible()
  await expect(page.getByText(`created ${name}`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show log' })).toHaveCount(0)
  await page.goBack()
  await expect(page.getByText('1–20 of 25')).toBeVisible()
})

// shows: activity-undo
test('what was changed is said in the foot before and after, and can be undone there', async ({ openAs, network }) => {
  const name = await network.newRoom({ edition: 'advanced', licenses: { YAAD: 1 } })
  const page = await openAs('CLOUD_SALES', editPath(name))
  await field(page, 'New SAP contract number').fill(`SAP ${name}`)
  await field(page, 'Designer').fill('3')
  const foot = page.locator('#form-missing')
  await expect(foot).toHaveText('2 changes: Designer 1 → 3 · New SAP contract number')
  await submitChanges(page).click()
  await expect(foot).toHaveText(/^Saved \d\d:\d\d:\d\d · 2 changes · View · Undo$/)
  await foot.getByRole('button', { name: 'Undo' }).click()
  await expect(foot).toHaveText(/ · undone · View$/)
  await expect(field(page, 'Designer')).toHaveValue('1')
  await foot.getByRole('link', { name: 'View' }).click()
  const entries = page.getByRole('list', { name: 'Activity' }).locator('> li')
  await expect(entries).toHaveCount(3)
  await expect(entries.first()).toContainText(`You changed ${name}`)
  await expect(entries.first()).toContainText('undoes entry')
})

test('the page Activity opens on today, live, and undoes', async ({ openAs, network }) => {
  const name = await network.newRoom()
  const page = await openAs('CLOUD_OPERATOR', '/project/activity')
  const today = page.getByRole('region', { name: 'Today' })
  const entries = today.getByRole('listitem').filter({ hasText: name })
  await expect(entries).toHaveText([new RegExp(`created ${name}`)])
  await expect(today.getByText('signed in')).toHaveCount(0)
  const sales = await network.as('CLOUD_SALES')
  const { body: room } = await sales.call('room', { query: { projectRoom: name } })
  const changes = { companyName: 'New Company', sapNumberLast: `SAP ${name}` }
  await sales.call('editRoom', { body: { ...room, ...changes } })
  const edited = entries.first()
  await expect(edited).toContainText(`cloud.sales@example.com changed ${name}`)
  await expect(edited).toContainText('Company name Example, Inc. → New Company')
  await edited.getByRole('button', { name: /^Undo: / }).click()
  // The order is held while the pointer is among the entries.
  await page.getByRole('heading', { name: 'Activity' }).hover()
  await expect(entries.first()).toContainText(`You changed ${name}`)
  await expect(entries.first()).toContainText('Company name New Company → Example, Inc.')

  await network.admin.call('signIn', { body: administrator })
  await page.getByText('Sign-ins', { exact: true }).click()
  await expect(page).toHaveURL(/kinds=changes%2Csign-ins/)
  await expect(today.getByText('signed in').first()).toBeVisible()
  await expectAccessible(page, 'activity')
  await openAs('CLOUD_SUPPORT', '/project/activity')
  await expect(entries.first()).toBeVisible()
  await expect(page.getByText('Sign-ins', { exact: true })).toHaveCount(0)
  await expect(entries.getByRole('button', { name: /^Undo/ })).toHaveCount(0)
})
