/** Texts from a region are shown as plain text, whatever they contain. */
import { roomDraft } from '@roomkeeper/dev-env'
import { setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { rowOf } from '../room-list.ts'

const hostile =
  '</span><img id="hostile" src="/nothing" onerror="window.acted=1"><script>window.acted=1</script>&lt;b&gt;'

test('HTML and script in the texts of a region are shown as text, in the reason of a failure and in its log', async ({
  openAs,
  network,
}) => {
  const body = roomDraft()
  const refusedOnce = { method: 'GET', rest: '/licences', action: 'status', status: 400 } as const
  await setFaults(network, body.tenantName, [refusedOnce])
  await network.admin.call('createRoom', { body })
  await network.settle()
  // Stored in the same way as texts that come from a region.
  await network.database.rows('update rooms set error_message = $2, error_reasons = null where name = $1', [
    body.tenantName,
    hostile,
  ])
  await network.database.rows(
    `update operation_log set text = $2 where operation_id in
       (select o.id from operations o join rooms r on r.id = o.room_id where r.name = $1)`,
    [body.tenantName, hostile],
  )
  const page = await openAs('CLOUD_ADMINISTRATOR')
  await rowOf(page, body.tenantName)
    .getByRole('button', { name: `Show error messages of ${body.tenantName}` })
    .click()
  const dialog = page.getByRole('dialog', { name: `Error messages for project room: ${body.tenantName}` })
  await expect(dialog.getByText(hostile, { exact: true }).first()).toBeVisible()
  await expect(dialog.getByRole('region', { name: 'Log' }).getByText(hostile).first()).toBeVisible()
  expect(await page.locator('#hostile').count()).toBe(0)
  expect(await page.evaluate(() => 'acted' in globalThis)).toBe(false)
})
