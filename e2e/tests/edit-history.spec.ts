/** The history of a room: who did what, when, and what it changed. */
import { editPath } from '../edit-room.ts'
import { expect, test } from '../fixtures.ts'

test('tells who changed what from what to what, and what ran', async ({ openAs, network }) => {
  const name = await network.newRoom({ edition: 'advanced', licenses: { YAAD: 1 } })
  const sales = await network.as('CLOUD_SALES')
  const { body: room } = await sales.call('room', { query: { projectRoom: name } })
  const changes = { companyName: 'New Company', expirationDate: '2099-01-31', sapNumberLast: `SAP ${name}` }
  const licences = { licenses: { ...room.licenses, YAAD: 3 }, licensesInformation: [] }
  await sales.call('editRoom', { body: { ...room, ...changes, ...licences } })

  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  await page.getByRole('tab', { name: 'History' }).click()
  const entries = page.getByRole('list', { name: 'History' }).locator('> li')
  await expect(entries).toHaveCount(2)
  await expect(entries.first()).toContainText('Changed')
  await expect(entries.first()).toContainText('cloud.sales@example.com')
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
  await expect(page.getByText('Created', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show log' })).toHaveCount(0)
  await page.goBack()
  await expect(page.getByText('1–20 of 25')).toBeVisible()
})
