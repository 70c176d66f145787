-- What the calls of live migrations ask often, and what state entries need to be told apart.

-- How many rooms of a run are in each state, and what they carried, so that nobody counts 100,000 rooms every second.
-- Written by triggers as additions only, so that rooms that end side by side never wait for each other here; the truth
-- is the sum over all rows of a run and state. Now and then the rows are folded into one for each.
create table live_migration_counts (
  run_id uuid not null,
  state text not null,
  rooms bigint not null,
  bytes bigint not null
);
create index live_migration_counts_run on live_migration_counts (run_id);
create sequence live_migration_counts_writes;

create function keep_live_migration_counts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into live_migration_counts
    select run_id, state, count(*), coalesce(sum(bytes), 0) from came group by run_id, state;
  elsif tg_op = 'DELETE' then
    insert into live_migration_counts
    select run_id, state, -count(*), -coalesce(sum(bytes), 0) from went group by run_id, state;
  else
    insert into live_migration_counts
    select run_id, state, sum(rooms), sum(bytes)
    from (
      select run_id, state, 1 as rooms, coalesce(bytes, 0) as bytes from came
      union all select run_id, state, -1, -coalesce(bytes, 0) from went
    ) as changes
    group by run_id, state having sum(rooms) <> 0 or sum(bytes) <> 0;
  end if;
  if nextval('live_migration_counts_writes') % 200 = 0 then
    perform fold_live_migration_counts();
  end if;
  return null;
end $$;

-- Skipped while another transaction is at it, and in transactions for which a concurrent fold would be a conflict.
create function fold_live_migration_counts() returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' or not pg_try_advisory_xact_lock(7204014) then
    return;
  end if;
  with folded as (delete from live_migration_counts returning *)
  insert into live_migration_counts
  select run_id, state, sum(rooms), sum(bytes) from folded group by run_id, state
  having sum(rooms) <> 0 or sum(bytes) <> 0;
end $$;

insert into live_migration_counts
select run_id, state, count(*), coalesce(sum(bytes), 0) from live_migration_rooms group by run_id, state;
create trigger live_migration_counts_insert after insert on live_migration_rooms
  referencing new table as came for each statement execute function keep_live_migration_counts();
create trigger live_migration_counts_update after update on live_migration_rooms
  referencing old table as went new table as came for each statement execute function keep_live_migration_counts();
create trigger live_migration_counts_delete after delete on live_migration_rooms
  referencing old table as went for each statement execute function keep_live_migration_counts();

-- The rooms of a run by state, in the order in which they are moved: the next one, those under way, those shown.
create index live_migration_rooms_states on live_migration_rooms (run_id, state, position);
drop index live_migration_rooms_order;
drop index live_migration_rooms_running, live_migration_rooms_waiting;
-- What arrived and what ended lately, in any run.
create index live_migration_rooms_bytes_at on live_migration_rooms (bytes_at) include (run_id, bytes)
  where bytes_at is not null;
create index live_migration_rooms_ended_at on live_migration_rooms (ended_at) include (run_id)
  where ended_at is not null;

-- Where the room was to go: a configuration may be changed later, and what is left behind is in the region of then.
alter table live_migration_states add source_region_id integer, add target_region_id integer;
update live_migration_states s set source_region_id = m.source_region_id, target_region_id = m.target_region_id
  from live_migrations m where m.id = s.migration_id;
