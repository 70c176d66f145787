import { type Webhook, type WebhookDraft, webhookEvents } from '@roomkeeper/contract'
import { expect, test } from 'vitest'
import { differences, rebased } from '#ui/form/changes.ts'
import { eventGroups, eventsOf } from './EventsField.tsx'
import { formOf } from './webhook-form.ts'

const webhookSettings = { of: (form: WebhookDraft) => form }

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
  expect(
    differences(webhookSettings, formOf({ ...stored, events: stored.events.toReversed() }), formOf(stored)),
  ).toEqual([])
})

test('entries on a newer basis keep what was changed, and take over the rest', () => {
  const mine = { ...formOf(stored), events: ['room.deleted' as const] }
  const newer = { ...stored, version: 4, name: 'Renamed', events: ['region.down' as const] }
  expect(differences(webhookSettings, mine, formOf(newer))).toEqual(['name', 'events'])
  expect(rebased(webhookSettings, { entered: mine, before: formOf(stored), stored: formOf(newer) })).toMatchObject({
    name: 'Renamed',
    events: ['room.deleted'],
    url: stored.url,
  })
})
