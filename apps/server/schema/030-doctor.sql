-- The doctor: whether the console, its regions and its stores agree. What it found stays until a later run that looked
-- at the same place does not find it any more.

create table doctor_runs (
  id uuid primary key,
  -- The operation that looks; null: `npm run doctor`.
  operation_id uuid,
  started_by text not null,
  state text not null default 'running' check (state in ('running', 'done', 'failed', 'cancelled')),
  started_at timestamptz not null default now(),
  -- A run without an operation that does not beat any more was left by its process.
  beat_at timestamptz not null default now(),
  ended_at timestamptz,
  -- Where it is, so that whoever goes on with it does not begin anew.
  progress jsonb not null default '{}'
);
-- One at a time.
create unique index doctor_runs_open on doctor_runs ((true)) where ended_at is null;
create index doctor_runs_started on doctor_runs (started_at desc);

create table doctor_findings (
  id uuid primary key default gen_random_uuid(),
  -- What makes it the same finding in the next run.
  key text not null,
  kind text not null,
  severity text not null check (severity in ('error', 'warning', 'info')),
  -- The part of a run that finds it.
  section text not null,
  room_id uuid,
  room_name text,
  -- Where it is.
  region_id integer,
  -- Which regions have to be asked before it can be said to be gone.
  region_ids integer[] not null default '{}',
  -- Of what is no room: a backup, an operation.
  subject text,
  -- For its text: names and numbers, never a secret.
  facts jsonb not null default '{}',
  found_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  run_id uuid not null,
  closed_at timestamptz,
  -- The newest repair.
  operation_id uuid
);
create unique index doctor_findings_open on doctor_findings (key) where closed_at is null;
create index doctor_findings_shown on doctor_findings (found_at, id) where closed_at is null;
create index doctor_findings_room on doctor_findings (room_name) where closed_at is null;
create index doctor_findings_closed on doctor_findings (closed_at) where closed_at is not null;

-- When the content was last read and compared with its digest: the oldest is read first.
alter table room_backups add column checked_at timestamptz;
alter table database_backups add column checked_at timestamptz;
create index room_backups_checked on room_backups (checked_at nulls first, id);
create index database_backups_checked on database_backups (checked_at nulls first, id);

-- Regions list their rooms by bytes; this database may sort texts by any language's rules.
create index rooms_by_bytes_of_name on rooms (name collate "C");
