-- One action for many rooms. Its rooms are operation_items of the operation that has the bulk's id.
create table bulks (
  id uuid primary key,
  action text not null,
  parameters jsonb not null,
  total integer not null,
  state text not null default 'WAITING'
    check (state in ('WAITING', 'RUNNING', 'DONE', 'PARTIALLY_DONE', 'FAILED', 'CANCELLED')),
  started_by text not null,
  -- Whose role decides what it may do with each room, and in whose name: who started it, or who retried it last.
  acts_for text not null,
  role text not null,
  started_at timestamptz not null default now(),
  ended_at timestamptz
);
create index bulks_started on bulks (started_at desc, id);
