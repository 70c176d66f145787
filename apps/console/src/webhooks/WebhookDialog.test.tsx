// @vitest-environment jsdom
/** What becomes of entries when a colleague has changed the webhook meanwhile. */
import type { Webhook } from '@roomkeeper/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { field, fill, openAs, user } from '#testing/console.tsx'
import { bodiesOf, ok, refused, reply } from '#testing/server.ts'

const stored: Webhook = {
  id: '00000000-0000-4000-8000-000000000001',
  version: 3,
  name: 'Chat',
  url: 'https://hooks.example/a',
  events: ['region.down'],
  isOn: true,
  createdAt: '2026-11-27T10:00:00Z',
  createdBy: 'ada@provider.example',
  changedAt: '2026-11-27T10:00:00Z',
  changedBy: 'ada@provider.example',
  waiting: 0,
  lastDeliveredAt: null,
  failingSince: null,
  switchedOffAt: null,
}
const newer: Webhook = { ...stored, version: 4, name: 'Talk', url: 'https://hooks.example/b' }
const refusal = 'The webhook was changed by somebody else meanwhile.'

async function openDialog(): Promise<void> {
  reply({ webhooks: () => ok([stored]) })
  openAs('CLOUD_OPERATOR', '/project/webhooks')
  await user.click(await screen.findByRole('button', { name: 'Edit Chat' }))
  await screen.findByRole('textbox', { name: 'Address' })
}

const save = () => user.click(screen.getByRole('button', { name: 'Save' }))
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test('mine go on from the newer version, as unsaved entries', async () => {
  await openDialog()
  reply({
    webhooks: () => ok([newer]),
    changeWebhook: ({ body }) => (body.version === newer.version ? ok(newer) : refused('webhook-stale')),
  })
  fill(field('Name'), 'Mine')
  await save()
  const conflict = await screen.findByRole('alert', { name: refusal })
  expect(
    within(conflict)
      .getAllByRole('row')
      .map(({ textContent }) => textContent),
  ).toEqual(['FieldMineNow stored', 'NameMineTalk', 'Addresshttps://hooks.example/ahttps://hooks.example/b'])
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
  await user.click(within(conflict).getByRole('button', { name: 'Keep mine on the new version' }))
  expect(field('Name')).toHaveValue('Mine')
  expect(field('Name')).toHaveFocus()
  expect(field('Address')).toHaveValue(newer.url)
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  await save()
  await closed()
  expect(bodiesOf('changeWebhook').map(({ version, name }) => [version, name])).toEqual([
    [3, 'Mine'],
    [4, 'Mine'],
  ])
})

test('stored values are taken over and need not be saved', async () => {
  await openDialog()
  reply({ webhooks: () => ok([newer]), changeWebhook: () => refused('webhook-stale') })
  fill(field('Name'), 'Mine')
  await save()
  await user.click(await screen.findByRole('button', { name: 'Take over the stored values' }))
  expect(field('Name')).toHaveValue('Talk')
  expect(screen.queryByRole('alert', { name: refusal })).toBeNull()
  await user.keyboard('{Escape}')
  await closed()
})

test('while what is stored cannot be fetched, the refusal stays and nothing is lost', async () => {
  await openDialog()
  reply({ webhooks: () => refused('database-busy'), changeWebhook: () => refused('webhook-stale') })
  fill(field('Name'), 'Mine')
  await save()
  expect(await screen.findByText(refusal)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Keep mine on the new version' })).toBeNull()
  expect(field('Name')).toHaveValue('Mine')
  reply({ webhooks: () => ok([newer]) })
  await save()
  expect(await screen.findByRole('button', { name: 'Keep mine on the new version' })).toBeVisible()
})
