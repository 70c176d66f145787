import { type Webhook, webhookEvents } from '@roomkeeper/contract'
import { expect, test } from 'vitest'
import { changedSettings, eventGroups, eventsOf, formOf, rebased } from './webhook-form.ts'

const stored: Webhook = {
  id: '00000000-0000-4000-8000-000000000001',
  version: 3,
  name: 'Chat',
  url: 'https://hooks.example/roomkeeper',
  events: ['region.up', 'room.created'],
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

test('every event is in one group', () => {
  expect(eventGroups.flatMap(eventsOf)).toEqual(webhookEvents)
})

test('the order in which events were chosen is no change', () => {
  expect(formOf(stored).events).toEqual(['room.created', 'region.up'])
  expect(changedSettings(formOf(stored), stored)).toEqual([])
})

test('entries on a newer basis keep what was changed, and take over the rest', () => {
  const mine = { ...formOf(stored), events: ['room.deleted' as const] }
  const newer = { ...stored, version: 4, name: 'Renamed', events: ['region.down' as const] }
  expect(changedSettings(mine, newer)).toEqual(['name', 'events'])
  expect(rebased(mine, stored, newer)).toMatchObject({ name: 'Renamed', events: ['room.deleted'], url: stored.url })
})
