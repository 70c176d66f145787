-- The audit trail can be searched, and whatever is altered, removed or slipped in can be found: each entry has a seal,
-- the SHA-256 over the seal before it and the entry itself. `npm run audit:verify` walks them.

create index audit_actor on audit (lower(actor) text_pattern_ops, id);
create index audit_action on audit (action text_pattern_ops, id);
create index audit_room_name on audit (lower(room_name) text_pattern_ops, id) where room_name is not null;
create index audit_at on audit (at, id);

-- Entries that have no seal yet. A transaction that writes an entry waits for nobody: seals are made after commits.
create table audit_unsealed (entry_id bigint primary key);
create function audit_awaits_seal() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed values (new.id);
  return null;
end $$;
create trigger audit_awaits_seal after insert on audit for each row execute function audit_awaits_seal();

-- Positions have no gaps. Entries are sealed in the order in which they were committed, which need not be that of ids.
create table audit_seals (
  position bigint primary key,
  entry_id bigint not null,
  hash bytea not null
);

-- One row: the newest seal.
create table audit_head (
  is_set boolean primary key default true check (is_set),
  position bigint not null,
  hash bytea not null,
  sealed_at timestamptz not null default now()
);
insert into audit_head (position, hash) values (0, sha256('the audit trail of Roomkeeper'));

-- What a seal vouches for. Never change it: older seals could not be checked any more.
create function audit_content(entry audit) returns text language sql stable as $$
  select jsonb_build_array(
    entry.id, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), entry.actor, entry.action,
    entry.room_id, entry.room_name, entry.operation_id, entry.detail, entry.changes, entry.request_id)::text
$$;

-- Seals up to 10,000 entries; one caller at a time. Whoever does not wait leaves it to the one who is at it.
-- Returns the new head, or no row when nothing was sealed.
create function seal_audit(waits boolean) returns setof audit_head language plpgsql as $$
declare
  head audit_head;
  before bigint;
  entry record;
begin
  if not exists (select from audit_unsealed) then return; end if;
  if waits then
    select * into head from audit_head for update;
  else
    select * into head from audit_head for update skip locked;
  end if;
  if not found then return; end if;
  before := head.position;
  for entry in
    with taken as (
      delete from audit_unsealed
      where entry_id in (select entry_id from audit_unsealed order by entry_id limit 10000)
      returning entry_id
    )
    -- Also one that was removed before it got its seal: it will be missed.
    select taken.entry_id, coalesce(audit_content(audit), '') as content
    from taken left join audit on audit.id = taken.entry_id order by taken.entry_id
  loop
    head.position := head.position + 1;
    head.hash := sha256(head.hash || convert_to(entry.content, 'UTF8'));
    insert into audit_seals values (head.position, entry.entry_id, head.hash);
  end loop;
  if head.position = before then return; end if;
  return query update audit_head set position = head.position, hash = head.hash, sealed_at = now() returning *;
end $$;

-- Entries of before.
insert into audit_unsealed select id from audit;

-- A first obstacle, and a help against mistakes. The seals are what tells.
create function audit_stays() returns trigger language plpgsql as $$
begin
  raise exception 'The audit trail is only ever added to.';
end $$;
create trigger audit_stays before update or delete or truncate on audit
  for each statement execute function audit_stays();
create trigger audit_seals_stay before update or delete or truncate on audit_seals
  for each statement execute function audit_stays();
