import { type Webhook, webhookEvents } from '@roomkeeper/contract'
import { expect, test } from 'vitest'
import { changedSettings, errorsOf, eventGroups, eventsOf, formOf, newWebhookForm, rebased } from './webhook-form.ts'

const stored: Webhook = {
  id: '00000000-0000-4000-8000-000000000001',
  version: 3,
  name: 'Chat',
  url: 'https://hooks.example/roomkeeper',
  events: ['region.up', 'room.created'],
  isOn: true,
  createdAt: '2026-11-27T10:00:00Z',
  waiting: 0,
  lastDeliveredAt: null,
  failingSince: null,
  switchedOffAt: null,
}

test('every event is in one group', () => {
  expect(eventGroups.flatMap(eventsOf)).toEqual(webhookEvents)
})

test.each([
  ['https://hooks.example/a?b=c', true],
  ['http://192.0.2.7:8080', true],
  ['', false],
  ['hooks.example', false],
  ['ftp://hooks.example/', false],
  ['javascript:alert(1)', false],
  ['https://user@hooks.example/', false],
  ['https://:secret@hooks.example/', false],
])('the address %j: %s', (url, isRight) => {
  expect(errorsOf({ ...newWebhookForm, url })).toEqual(
    isRight ? {} : { url: { code: 'webhook-url-invalid', params: {} } },
  )
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
