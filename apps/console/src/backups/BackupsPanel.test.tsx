// @vitest-environment jsdom
import type { RoomBackup } from '@roomkeeper/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { roomOf } from '#testing/answers.ts'
import { openAs, user } from '#testing/console.tsx'
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
