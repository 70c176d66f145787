/** Regions are deleted; every message to the letter. */
import { expect, test } from '../fixtures.ts'
import { addMigration, addRegion, buttonOf, openCloud, rowNamed } from '../manage-cloud.ts'
import { toast } from '../toasts.ts'

// shows: regions-delete-typed
test('a region in a live migration is not deleted; another one only after its name was typed', async ({
  openAs,
  network,
}) => {
  const name = await addRegion(network)
  await addMigration(network)
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Regions')
  await dialog.getByLabel('Select region-2').check()
  await buttonOf(dialog, 'Delete').click()
  await expect(toast(page, 'Delete Region', 'Region is still part of livemigration!')).toBeVisible()
  await dialog.getByLabel('Select region-2').uncheck()

  await dialog.getByLabel(`Select ${name}`).check()
  await buttonOf(dialog, 'Delete').click()
  const question = page.getByRole('dialog', { name: 'Delete Region' })
  const text =
    'Are you sure you want to delete this region? Please be aware that this will also DELETE ALL PROJECT ROOMS from MCP Controller database'
  await expect(question.getByText(text, { exact: true })).toBeVisible()
  await expect(buttonOf(question, 'Cancel')).toBeFocused()
  await expect(buttonOf(question, 'Delete region')).toBeDisabled()
  await question.getByLabel(`Type ${name} to confirm`).fill(name)
  await buttonOf(question, 'Delete region').click()
  await expect(toast(page, name, 'Delete region was Successful')).toBeVisible()
  await expect(rowNamed(dialog, name)).toHaveCount(0)
})

test('a region that cannot be deleted says why in its dialog', async ({ openAs, network, browserErrors }) => {
  const name = await addRegion(network)
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Regions')
  await dialog.getByLabel(`Select ${name}`).check()
  await buttonOf(dialog, 'Delete').click()
  const question = page.getByRole('dialog', { name: 'Delete Region' })
  // Another operator uses the region in a live migration first.
  const { body: regions } = await network.admin.call('regions', {})
  const added = regions.find((each) => each.regionName === name)?.regionId ?? 0
  await network.admin.call('saveLiveMigration', { body: { sourceRegion: 1, targetRegion: added } })
  await question.getByLabel(`Type ${name} to confirm`).fill(name)
  browserErrors.expect(/^PUT \/api\/operator\/region 409$/)
  await buttonOf(question, 'Delete region').click()
  await expect(question.getByRole('alert')).toContainText('Delete region is failed')
  await expect(question.getByRole('alert')).toContainText('Region is still part of livemigration!')
})
