-- API tokens, with which other programs make calls in the name of the operator who made them. Only the SHA-256 is kept.
-- They go with the account. What was refused stays visible after a token has expired or was revoked.
create table api_tokens (
  id uuid primary key default gen_random_uuid(),
  operator_id uuid not null references operators on delete cascade,
  name text not null,
  role text not null check (role in ('CLOUD_SUPPORT', 'CLOUD_SALES', 'CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR')),
  token_hash bytea not null unique,
  -- Addresses and networks from which it may be used; empty: from anywhere.
  networks text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- To the minute.
  last_used_at timestamptz,
  last_used_from text,
  -- Calls that were refused, and the last of them.
  refused_times bigint not null default 0,
  refused_at timestamptz,
  refused_from text,
  refused_why text check (refused_why in ('expired', 'revoked', 'network'))
);
create unique index api_tokens_name on api_tokens (operator_id, lower(name)) where revoked_at is null;
