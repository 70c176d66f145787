/** Webhooks: nothing is lost, invented or out of order; nothing is sent to where it must not go. */
const here = 'apps/server/src/webhooks'
const deliveries = 'apps/server/test/webhooks/deliveries.test.ts'
const events = 'apps/server/test/webhooks/events.test.ts'
const requests = `${here}/send-request.test.ts`

export const webhooks = [
  {
    id: 'webhooks/first-address-judged',
    breaks: 'A name with a public and a private address leads to what only the server reaches.',
    file: `${here}/address-guard.ts`,
    find: 'const bad = [first, ...others].find(',
    replace: 'const bad = [first].find(',
    tests: [`${requests}: a name is refused when one of its addresses is forbidden`],
  },
  {
    id: 'webhooks/literal-addresses-not-judged',
    breaks: 'A URL with an address instead of a name leads anywhere: Node looks nothing up for it.',
    file: `${here}/address-guard.ts`,
    find: 'return isIP(host) !== 0 && forbids(host) ? host : null',
    replace: 'return isIP(host) > 6 && forbids(host) ? host : null',
    tests: [`${requests}: is not called`, `${deliveries}: is refused at its field`],
  },
  {
    id: 'webhooks/ipv4-hidden-in-ipv6',
    breaks: 'A URL with an IPv4 address in the form of IPv6 leads to what only the server reaches.',
    file: `${here}/address-guard.ts`,
    find: '!parsed.match(globalIpv6)',
    replace: '!parsed.match(ipaddr.IPv6.parseCIDR("::/0"))',
    tests: [`${requests}: nothing is sent to addresses that are`],
  },
  {
    id: 'webhooks/another-protocol',
    breaks: 'A receiver that switches protocols is not told apart from one that closes.',
    file: `${here}/send-request.ts`,
    find: 'resolve(response)\n      })',
    replace: '})',
    tests: [`${requests}: switches protocols`],
  },
  {
    id: 'webhooks/purged-rooms',
    breaks: 'What webhooks were told of a room stays when it is purged.',
    file: 'apps/server/src/rooms/purge/certify.ts',
    find: "'delete from webhook_deliveries where room_id = $1'",
    replace: "'delete from webhook_deliveries where room_id = $1 and false'",
    tests: ['apps/server/test/life/purge.test.ts: leaves no byte of the room'],
  },
  {
    id: 'webhooks/contacts-told',
    breaks: "Customers' contacts are told to other programs.",
    file: 'apps/server/src/room-events/tell-of-room.ts',
    find: 'aboutPeople.has(each.field)',
    replace: 'aboutPeople.has("")',
    tests: [`${events}: the life of a room`],
  },
  {
    id: 'webhooks/order-of-a-lane',
    breaks: 'A receiver is told that a room was resumed before it is told that it was suspended.',
    file: `${here}/claim-deliveries.ts`,
    find: 'and e.n < due.n order by e.n limit 1',
    replace: 'and e.n < 0 order by e.n limit 1',
    tests: [`${deliveries}: in order per room, although a worker is killed`],
  },
  {
    id: 'webhooks/sent-again-out-of-turn',
    breaks: 'Whoever presses Send again makes a receiver hear that a room was resumed before it was suspended.',
    file: `${here}/delivery-routes.ts`,
    find: "and e.state = 'waiting' and e.n < d.n limit 1",
    replace: "and e.state = 'waiting' and e.n < 0 limit 1",
    tests: [`${deliveries}: what waits behind an earlier event`],
  },
  {
    id: 'webhooks/slow-receivers-as-missing-workers',
    breaks: 'A receiver that is slow raises the alarm that there are too few workers.',
    file: 'apps/server/src/health/figures.ts',
    find: 'greatest(d.next_try_at, w.last_taken_at) as since',
    replace: 'd.next_try_at as since',
    tests: [`${deliveries}: a figure says how long something is due`],
  },
  {
    id: 'webhooks/claims-of-dead-workers',
    breaks: 'What a worker was delivering when it died is never delivered, and neither is what comes after it.',
    file: `${here}/claim-deliveries.ts`,
    find: "where webhook_id = $1 and state = 'waiting' and next_try_at <= now() order by next_try_at, n limit $4",
    replace:
      "where webhook_id = $1 and state = 'waiting' and claim is null and next_try_at <= now() order by next_try_at, n limit $4",
    tests: [`${deliveries}: in order per room, although a worker is killed`],
  },
  {
    id: 'webhooks/off-although-others-are-delivered',
    breaks: 'One event that a receiver refuses switches the webhook off, although it takes all others.',
    file: `${here}/finish-try.ts`,
    find: 'and failing_since <= now() - make_interval(days => $2) returning 1',
    replace: 'and failing_since <= now() - make_interval(days => $2 * 0) returning 1',
    tests: [`${deliveries}: every try has failed for 3 days`],
  },
  {
    id: 'webhooks/former-secret-for-ever',
    breaks: 'A secret that was renewed because it leaked goes on signing.',
    file: `${here}/claim-deliveries.ts`,
    find: 'case when former_secret_until > now() then former_secret end',
    replace: 'case when former_secret_until is not null then former_secret end',
    tests: [`${deliveries}: a renewed secret signs at once`],
  },
  {
    id: 'webhooks/events-of-a-rollback',
    breaks: 'What a failed operation has undone is told as done.',
    file: 'apps/server/src/rooms/lifecycle/operations/busy-room.ts',
    find: "      const end = undone ? { to: before } : { to: 'ERROR' as const, error }\n",
    replace:
      "      const end = undone ? { to: before } : { to: 'ERROR' as const, error }\n      await tellOfRoom(tx, 'room.suspended', roomId, null, {})\n",
    tests: [`${events}: what is undone and what is rolled back is not told`],
  },
  {
    id: 'webhooks/region-down-by-each-process',
    breaks: 'Every call to a region that is away tells again that it is down.',
    file: 'apps/server/src/regions/tell-of-health.ts',
    find: "and (health = 'answers') = (r.down_since is not null)",
    replace: "and (health = 'answers' or r.down_since is not null or true)",
    tests: [`${events}: a region that is down, and up again, is told once each`],
  },
]
