// @vitest-environment jsdom
import type { Maintenance } from '@roomkeeper/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectToast, fill, openAs, user } from '#testing/console.tsx'
import { bodiesOf, ok, reply } from '#testing/server.ts'

test('what is typed while the message is saved stays, and is saved next', async () => {
  const saved = Promise.withResolvers<void>()
  let stored: Maintenance = { maintenanceMode: false, maintenanceMessage: '' }
  reply({
    maintenance: () => ok(stored),
    saveMaintenance: async ({ body }) => {
      await saved.promise
      stored = body
      return ok(stored)
    },
  })
  openAs('CLOUD_ADMINISTRATOR', '/project/maintenance_mode')
  const message = await screen.findByRole('textbox', { name: 'Message' })
  fill(message, 'One.')
  const save = screen.getByRole('button', { name: 'Save configuration' })
  await user.click(save)
  await waitFor(() => expect(bodiesOf('saveMaintenance')).toHaveLength(1))
  fill(message, 'One. Two.')
  saved.resolve()
  await expectToast('Maintenance mode', 'Save maintenance settings was Successful')
  expect(message).toHaveValue('One. Two.')
  await user.click(save)
  await waitFor(() => expect(stored).toMatchObject({ maintenanceMessage: 'One. Two.' }))
})

test.each(['', '{}', 'null'])('an empty answer of the server (%j) means off, with an empty message', async (answer) => {
  reply({ maintenance: () => new Response(answer) })
  openAs('CLOUD_ADMINISTRATOR', '/project/maintenance_mode')
  expect(await screen.findByRole('textbox', { name: 'Message' })).toHaveValue('')
  expect(screen.getByRole('checkbox', { name: 'Put site into maintenance mode' })).not.toBeChecked()
})
