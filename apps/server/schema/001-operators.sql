-- Operators, their sessions, and what they did.

create table operators (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null,
  role text not null check (role in ('CLOUD_SUPPORT', 'CLOUD_SALES', 'CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR')),
  password_hash text not null,
  created_at timestamptz not null default now()
);
create unique index operators_email on operators (lower(email));

-- Only the SHA-256 of a token is kept.
create table sessions (
  token_hash bytea primary key,
  operator_id uuid not null references operators on delete cascade,
  awaits_second_factor boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
create index sessions_operator on sessions (operator_id);

create table failed_sign_ins (
  email text not null,
  address text not null,
  at timestamptz not null default now()
);
create index failed_sign_ins_address on failed_sign_ins (address, at);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  room_id uuid,
  room_name text,
  operation_id uuid,
  detail text,
  changes jsonb not null default '[]',
  request_id text
);
create index audit_room on audit (room_id, id desc) where room_id is not null;
