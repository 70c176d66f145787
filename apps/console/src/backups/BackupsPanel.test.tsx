// @vitest-environment jsdom
import type { RoomBackup } from '@roomkeeper/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { roomOf } from '#testing/answers.ts'
import { address, openAs, user } from '#testing/console.tsx'
import { ok, reply, tell } from '#testing/server.ts'

function backupOf(day: number): RoomBackup {
  return {
    id: crypto.randomUUID(),
    createdAt: `2026-01-0${day}T00:00:00.000Z`,
    size: 1,
    sha256: '',
    kind: 'classic',
    location: `kept-${day}`,
    checkedAt: null,
    verifiedAt: null,
  }
}

test('a backup that comes while the pointer is among the others moves none of them', async () => {
  const backups = [backupOf(2), backupOf(1)]
  reply({
    room: () => ok(roomOf({ tenantName: 'kept', projectRoomState: 'SUSPENDED' })),
    roomLicences: () => ok([]),
    roomBackups: () => ok([...backups]),
  })
  openAs('CLOUD_ADMINISTRATOR', '/project/edit_project_room/kept?tab=backups')
  const table = await screen.findByRole('table', { name: 'Backups' })
  const rows = () =>
    within(table)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent)
  await waitFor(() => expect(rows()).toHaveLength(2))
  const [newest] = rows()
  await user.hover(within(table).getAllByRole('rowheader')[0] as HTMLElement)
  backups.unshift(backupOf(3))
  await tell({ type: 'operation', room: 'kept', operationId: crypto.randomUUID() })
  const notice = await screen.findByRole('button', { name: '3 changes' })
  expect(rows()[0]).toBe(newest)
  notice.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(rows()).toHaveLength(3))
  expect(rows()[1]).toBe(newest)
})

test('a backup leads to its restore, where it is chosen; a bad one does not', async () => {
  const good = backupOf(2)
  const room = roomOf({ tenantName: 'kept', projectRoomState: 'SUSPENDED' })
  const { createdAt } = good
  const holds = { kind: 'room', roomName: 'kept', product: 'ARIS', edition: 'basic', createdAt, size: 1 } as const
  reply({
    room: () => ok(room),
    roomLicences: () => ok([]),
    databases: () => ok([]),
    roomBackups: () => ok([good, { ...backupOf(1), isKnownBad: true }]),
    inspectRoomBackup: () => ok({ ...holds, databases: ['main'] }),
  })
  openAs('CLOUD_ADMINISTRATOR', '/project/edit_project_room/kept?tab=backups')
  const restore = await screen.findAllByRole('button', { name: /^Restore the backup of .* …/ })
  expect(restore.map((each) => each.getAttribute('aria-disabled'))).toEqual(['false', 'true'])
  await user.click(restore[0] as HTMLElement)
  await waitFor(() => expect(screen.getAllByRole('radio')).toHaveLength(2))
  const [chosen, bad] = screen.getAllByRole('radio')
  expect(address()).toBe(`/project/restore_project_room/kept?backup=${good.id}`)
  expect(chosen).toBeChecked()
  expect(chosen).toHaveFocus()
  expect(bad).toBeDisabled()
  expect(await screen.findByRole('region', { name: 'What the backup holds' })).toBeVisible()
  // The closed panels have it, too, once React has drawn them in the background.
  expect(screen.getByRole('button', { name: 'Restore project room', hidden: false })).toBeEnabled()
})
