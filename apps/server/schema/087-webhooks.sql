-- Webhooks: addresses of other programs that are told what happens, and what they were or will be told.
create table webhooks (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  url text not null,
  events text[] not null,
  is_on boolean not null,
  version integer not null default 1,
  -- Sealed, like the one before it, which signs along until `former_secret_until`.
  secret text not null,
  former_secret text,
  former_secret_until timestamptz,
  last_delivered_at timestamptz,
  -- Since when every try has failed.
  failing_since timestamptz,
  -- When it was switched off by itself.
  switched_off_at timestamptz,
  -- Then nobody sees it any more, it is off, and housekeeping removes it after its deliveries.
  deleted_at timestamptz,
  -- As whom operators made it, and changed it or its secret last.
  created_at timestamptz not null default now(),
  created_by text not null,
  changed_at timestamptz not null default now(),
  changed_by text not null
);
create unique index webhooks_name on webhooks (lower(name)) where deleted_at is null;

-- One row for each event and each webhook that listened when it happened, written in the transaction of the event.
create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  -- The order of the events of a lane.
  n bigint not null generated always as identity,
  webhook_id uuid not null references webhooks,
  -- The header `webhook-id`, the same for all webhooks.
  message_id text not null,
  type text not null,
  -- What is delivered one after another: the events of a room, of a region.
  lane text not null,
  -- Of a room that may be gone: when it is purged, these go with it.
  room_id uuid,
  room_name text,
  at timestamptz not null,
  -- The body, byte for byte as it is signed.
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'ended')),
  tries integer not null default 0,
  last_try_at timestamptz,
  -- While somebody has claimed it: until when that counts. Null: it is not tried any more by itself.
  next_try_at timestamptz default now(),
  -- Of whom is trying it just now.
  claim uuid,
  -- When it was claimed to be sent by hand; null: a worker has claimed it last.
  by_hand_at timestamptz,
  -- Of the last try.
  answer_status integer,
  answer_body text,
  answer_milliseconds integer,
  failure text check (failure in ('unreachable', 'address-forbidden', 'certificate', 'timed-out', 'redirected',
    'refused', 'answer-too-long', 'secret-unreadable')),
  check ((state = 'waiting') = (next_try_at is not null))
);
create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, n);
create index webhook_deliveries_by_state on webhook_deliveries (webhook_id, state, n);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_try_at) where state = 'waiting';
create index webhook_deliveries_lanes on webhook_deliveries (webhook_id, lane, n) where state = 'waiting';
create index webhook_deliveries_claimed on webhook_deliveries (webhook_id) where claim is not null;
create index webhook_deliveries_of_room on webhook_deliveries (room_id) where room_id is not null;
create index webhook_deliveries_old on webhook_deliveries (at) where state <> 'waiting';

-- Since when webhooks are told that the region is down: so that they are told once, by whichever process, and that it is
-- up again only after that. Processes of the release before do not write it.
alter table regions add column down_since timestamptz;
update regions set down_since = health_since where health in ('unreachable', 'refuses-login');
