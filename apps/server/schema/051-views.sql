-- Views of the list of rooms, kept for the operator who saved them. They go with the account.
create table views (
  id uuid primary key default gen_random_uuid(),
  operator_id uuid not null references operators (id) on delete cascade,
  name text not null,
  is_shared boolean not null default false,
  query text not null,
  columns jsonb not null,
  created_at timestamptz not null default now()
);
create unique index views_name on views (operator_id, lower(name));
create index views_shared on views (operator_id) where is_shared;
