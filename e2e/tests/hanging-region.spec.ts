/** A region that does not answer: after 2 s the screen says what it waits for, and the operator can go on without. */
import { field } from '../create-form.ts'
import { button, editPath } from '../edit-room.ts'
import { hang } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { buttonOf, openCloud } from '../manage-cloud.ts'

const waiting = 'Waiting for region region-1, which has not answered yet.'

test('the edit screen, the databases and a connection test do not wait for a region that hangs', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(/^(GET|POST) \/api\/operator\/.* 50[24]$/)
  const name = await network.newRoom()
  await hang(network, `/rooms/${name}`)
  const page = await openAs('CLOUD_ADMINISTRATOR', editPath(name))
  const licences = page.getByRole('region', { name: 'Licences' })
  await expect(licences).toBeVisible()
  await expect(licences.getByText(waiting)).toBeVisible({ timeout: 5000 })
  await expect(field(page, 'Company name')).toBeEditable()
  await licences.getByRole('button', { name: 'Go on without it' }).click()
  await expect(licences.getByText('Shown without the answer of region region-1.')).toBeVisible()

  await page.getByRole('tab', { name: 'Databases' }).click()
  const databases = page.getByRole('region', { name: 'Databases' })
  await expect(databases).toBeVisible()
  await expect(databases.getByText(waiting)).toBeVisible({ timeout: 5000 })
  await databases.getByRole('button', { name: 'Go on without it' }).click()
  await network.setRegionFaults([])
  await databases.getByRole('button', { name: 'Ask again' }).click()
  await expect(databases.getByRole('rowheader', { name: 'main' })).toBeVisible()

  await hang(network, `/rooms/${name}`)
  await databases.getByRole('button', { name: 'Delete main' }).click()
  const question = page.getByRole('dialog')
  await question.getByRole('button', { name: 'Delete database' }).click()
  await expect(question.getByText('This takes longer than usual.')).toBeVisible({ timeout: 5000 })
  await button(page, 'Cancel').click()

  await hang(network, '/status')
  await page.goto('/project/administration')
  const cloud = await openCloud(page, 'Regions')
  await cloud.getByLabel('Select region-1').check()
  await buttonOf(cloud, 'Edit').click()
  const form = page.getByRole('dialog', { name: 'Edit region region-1' })
  await buttonOf(form, 'Test Connection').click()
  await expect(form.getByText(waiting)).toBeVisible({ timeout: 5000 })
  await buttonOf(form, 'Stop waiting').click()
  await expect(buttonOf(form, 'Test Connection')).toBeEnabled()
  await expect(form.getByText(waiting)).toHaveCount(0)
  await network.setRegionFaults([])
})
