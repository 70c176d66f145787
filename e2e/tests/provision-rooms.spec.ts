/** The main workflow, end to end: sign in, create, watch, find, export. The rooms really exist on their region. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { uniqueRoomName } from '@roomkeeper/dev-env'
import { chooseProduct, fillInContacts, select, submitCreation } from '../create-form.ts'
import { administrator, expect, test } from '../fixtures.ts'
import { listHeading, rowOf, searchBox, shownRooms } from '../room-list.ts'
import { toast } from '../toasts.ts'

// shows: C-exportRooms, export-csv
test('an operator signs in, creates a room of each product, watches them become Active, finds and exports them', async ({
  page,
  network,
}) => {
  const names = { ARIS: uniqueRoomName('aris'), MINING: uniqueRoomName('mine'), ENTERPRISE: uniqueRoomName('ent') }
  const all = Object.values(names)

  await test.step('signs in', async () => {
    await page.goto('/project')
    await page.getByLabel('Email').fill(administrator.email)
    await page.getByLabel('Password').fill(administrator.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(listHeading(page)).toBeVisible()
    await expect(page).toHaveURL(/\/project\/administration$/)
  })

  await test.step('creates one room of each product', async () => {
    await create(page, names.ARIS, async () => {
      await page.getByRole('textbox', { name: 'Viewer' }).fill('3')
    })
    await create(page, names.MINING, async () => {
      await chooseProduct(page, 'MINING')
      await select(page, 'Edition', 'Enterprise')
      await page.getByText('Flex', { exact: true }).click()
    })
    await create(page, names.ENTERPRISE, async () => {
      await chooseProduct(page, 'ENTERPRISE')
      await select(page, 'Sub mining type', 'Mining Basic')
      await page.getByRole('textbox', { name: 'AI credits' }).fill('50')
    })
  })

  await test.step('sees each become Active without a reload', async () => {
    for (const name of all) await expect(rowOf(page, name).getByText('Active', { exact: true })).toBeVisible()
    await expect(rowOf(page, names.MINING).getByRole('cell').nth(1)).toHaveText('MINING')
  })

  await test.step('searches', async () => {
    await searchBox(page).fill(names.MINING)
    await expect.poll(() => shownRooms(page)).toEqual([names.MINING])
    await searchBox(page).fill('')
    await expect.poll(() => shownRooms(page)).toHaveLength(3)
  })

  await test.step('exports them', async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const file = await download
    expect(file.suggestedFilename().replaceAll('_', ':')).toMatch(
      /^projectRooms:\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z\.csv$/,
    )
    await expect(toast(page, 'Export', 'Exported successfully')).toBeVisible()
    const [head, ...rows] = (await readFile(await file.path(), 'utf8')).trim().split('\n')
    expect(head).toMatch(/^Product,Name,Edition,/)
    expect(rows.map((row) => row.split(',').slice(0, 3).join())).toEqual(
      [
        `"ARIS","${names.ARIS}","Basic"`,
        `"ENTERPRISE","${names.ENTERPRISE}","Enterprise shared"`,
        `"MINING","${names.MINING}","Enterprise"`,
      ]
        .sort()
        .reverse(),
    )
  })

  await test.step('every room is on the disk of its region and answers over the region protocol', async () => {
    const [region] = network.regions
    for (const [product, name] of Object.entries(names)) {
      expect(await region?.client.room(name)).toMatchObject({ name, product, state: 'active', locked: false })
      const folder = join(region?.dataDir ?? '', 'rooms', name)
      expect((await stat(join(folder, 'room.json'))).size).toBeGreaterThan(0)
      expect((await readFile(join(folder, 'system.db'))).subarray(0, 15).toString()).toBe('SQLite format 3')
    }
    const licences = await region?.client.licences(names.ARIS)
    expect(licences).toContainEqual(expect.objectContaining({ licenseKey: 'YABV', licenseAmount: 3 }))
  })
})

async function create(page: Page, name: string, more: () => Promise<void>) {
  await page.getByRole('link', { name: 'New project room' }).click()
  await page.getByRole('textbox', { name: 'Project room name' }).fill(name)
  await more()
  await select(page, 'Region', 'region-1')
  await fillInContacts(page)
  await submitCreation(page)
  await expect(page).toHaveURL(/\/project\/administration/)
  await expect(rowOf(page, name)).toBeVisible()
}
