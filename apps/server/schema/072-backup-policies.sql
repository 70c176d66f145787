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
  created_at timestamptz not null default now()
);
create unique index backup_policies_name on backup_policies (lower(name));

-- One row for each room and time, however many workers look. A backup has the id of its operation.
create table scheduled_backups (
  policy_id uuid not null references backup_policies on delete cascade,
  room_id uuid not null,
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
create index scheduled_backups_open on scheduled_backups (state, tried_at, due_at) where state in ('waiting', 'started');
create index scheduled_backups_untidied on scheduled_backups (room_id) where state = 'done' and not is_tidied;
create index scheduled_backups_room on scheduled_backups (room_id, started_at);
