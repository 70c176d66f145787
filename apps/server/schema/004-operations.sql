-- Operations: the record that people see. How they run is kept by DBOS in its own schema.

create table operations (
  id uuid primary key,
  kind text not null,
  version integer not null,
  process_type text,
  room_id uuid,
  room_name text not null,
  region_id integer,
  -- Parsed by the kind's schema; secrets inside are encrypted.
  input jsonb not null,
  state text not null check (state in ('waiting', 'running', 'cancelling', 'done', 'failed', 'cancelled')),
  step text,
  progress real not null default 0,
  error text,
  started_by text not null,
  request_id text,
  cancel_requested boolean not null default false,
  -- One more each time the operation is started again by retry; its workflow is '<id>:<attempt>'.
  attempt integer not null default 1,
  -- One more each time a worker begins or takes over: regions refuse calls with a smaller number.
  fence integer not null default 0,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
-- A room has at most one operation at a time.
create unique index operations_one_per_room on operations (room_id)
  where state in ('waiting', 'running', 'cancelling') and room_id is not null;
create index operations_open on operations (created_at) where state in ('waiting', 'running', 'cancelling');
create index operations_room on operations (room_id, created_at desc);
create index operations_ended on operations (ended_at) where ended_at is not null;

create table operation_steps (
  operation_id uuid not null references operations on delete cascade,
  position integer not null,
  name text not null,
  state text not null check (state in ('open', 'running', 'done', 'failed', 'undone')),
  output jsonb,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (operation_id, position)
);

create table operation_log (
  operation_id uuid not null references operations on delete cascade,
  n integer not null,
  at timestamptz not null default now(),
  level text not null check (level in ('info', 'warning', 'error')),
  text text not null,
  primary key (operation_id, n)
);

-- Processes that run operations. A row whose heartbeat stops is dead, and so is its process.
create table workers (
  id uuid primary key,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);

-- The same Idempotency-Key of the same operator on the same route is the same wish.
create table idempotency_keys (
  operator_id uuid not null,
  route text not null,
  key text not null,
  body_hash bytea not null,
  operation_id uuid not null,
  at timestamptz not null default now(),
  primary key (operator_id, route, key)
);
create index idempotency_keys_at on idempotency_keys (at);
