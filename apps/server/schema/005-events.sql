-- Hints for live consoles. Readers go by (tx, id) below the oldest running transaction, so that a late commit
-- is never overtaken; kept for ten minutes.
create table events (
  id bigint generated always as identity,
  tx xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  payload jsonb not null,
  primary key (tx, id)
);

create index events_at on events (at);

create function announce_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('roomkeeper_events', '');
  return null;
end $$;
create trigger events_announced after insert on events for each statement execute function announce_events();
