-- Policies by which project rooms are backed up by themselves.
create table backup_policies (
  id uuid primary key,
  name text not null,
  is_on boolean not null,
  -- On the wire's form, as an operator has sent it.
  rooms jsonb not null,
  kind text not null check (kind in ('classic', 'd2o')),
  schedule jsonb not null,
  keep jsonb not null,
  -- 0: none is verified.
  verify_every integer not null,
  version integer not null default 1,
  -- What is due until then has its rows in scheduled_backups; null: the scheduler has not seen the policy yet.
  looked_until timestamptz,
  -- Of its backups, since it exists.
  failed bigint not null default 0,
  -- What waits and was due until then is not begun any more, but removed; null: nothing is.
  forget_until timestamptz,
  -- What it keeps has changed, so retention looks again at its rooms with higher ids; null: at none.
  tidy_after uuid,
  -- Then nobody sees it any more, and housekeeping removes it, after its rows in scheduled_backups.
  deleted_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index backup_policies_name on backup_policies (lower(name)) where deleted_at is null;

-- When in a window a room is due, as a part of 2^32 of it.
create function room_turn(id uuid) returns bigint language sql immutable parallel safe as $$
  select ('x' || left(md5(id::text), 8))::bit(32)::bigint
$$;

-- One row for each room and time, however many workers look. A backup has the id of its operation.
create table scheduled_backups (
  policy_id uuid not null references backup_policies on delete cascade,
  room_id uuid not null,
  -- Of the room, when it became due or was last tried.
  region_id integer not null,
  due_at timestamptz not null,
  -- A backup of another policy that has begun since then counts for this one.
  counts_from timestamptz not null,
  -- So long a room that is busy is tried again.
  try_until timestamptz not null,
  -- missed: the room was busy, or not running, all the time.
  state text not null default 'waiting' check (state in ('waiting', 'started', 'done', 'failed', 'missed')),
  operation_id uuid,
  started_at timestamptz,
  tried_at timestamptz,
  -- Whether retention has been applied since this backup was made.
  is_tidied boolean not null default false,
  primary key (policy_id, room_id, due_at)
);
create index scheduled_backups_next on scheduled_backups (region_id, tried_at nulls first, due_at) where state = 'waiting';
create index scheduled_backups_late on scheduled_backups (policy_id, try_until) where state = 'waiting';
create index scheduled_backups_started on scheduled_backups (operation_id) where state = 'started';
create index scheduled_backups_untidied on scheduled_backups (room_id) where state = 'done' and not is_tidied;
create index scheduled_backups_room on scheduled_backups (room_id, started_at);

-- Operations of policies that went well do not last (see operations_of_policies), and no entry of the audit trail asks
-- how they ended.
create or replace function keep_outcomes() returns trigger language plpgsql as $$
begin
  insert into operation_outcomes (operation_id, state, error, error_reasons)
  select id, state, error, error_reasons from removed
   where state in ('done', 'failed', 'cancelled')
     and not (state = 'done' and attempt = 1 and started_by = 'system'
              and kind in ('room.backup-scheduled', 'room.backup-scheduled-d2o', 'backup.verify'))
  on conflict (operation_id) do nothing;
  return null;
end $$;
