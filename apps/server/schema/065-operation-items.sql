-- The rooms that a parent operation works through, one operation for each: so far those of a run of a live migration,
-- now of any parent. What a run called migrated and postponed is done and skipped here; what is recorded already is
-- translated, and the index of states rebuilt, by schema 080 while others go on.
alter table live_migration_rooms rename to operation_items;
alter table operation_items rename column run_id to parent_id;
-- The region whose operations are counted for it; 0: those of all regions together.
alter table operation_items add column region_id integer not null default 0;
alter table operation_items alter column migration_id drop not null;
alter table operation_items drop constraint live_migration_rooms_state_check;
alter table operation_items rename constraint live_migration_rooms_pkey to operation_items_pkey;
alter table operation_items rename constraint live_migration_rooms_migration_id_fkey to operation_items_migration_id_fkey;
alter index live_migration_rooms_bytes_at rename to operation_items_bytes_at;
alter index live_migration_rooms_ended_at rename to operation_items_ended_at;
alter index live_migration_rooms_open rename to operation_items_open;
alter trigger live_migration_rooms_reasons on operation_items rename to operation_items_reasons;

alter table live_migration_counts rename to operation_item_counts;
alter table operation_item_counts rename column run_id to parent_id;
alter index live_migration_counts_run rename to operation_item_counts_parent;
alter sequence live_migration_counts_writes rename to operation_item_counts_writes;
drop trigger live_migration_counts_insert on operation_items;
drop trigger live_migration_counts_update on operation_items;
drop trigger live_migration_counts_delete on operation_items;
drop function keep_live_migration_counts();
drop function fold_live_migration_counts();

create function keep_operation_item_counts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into operation_item_counts
    select parent_id, state, count(*), coalesce(sum(bytes), 0) from came group by parent_id, state;
  elsif tg_op = 'DELETE' then
    insert into operation_item_counts
    select parent_id, state, -count(*), -coalesce(sum(bytes), 0) from went group by parent_id, state;
  else
    insert into operation_item_counts
    select parent_id, state, sum(rooms), sum(bytes)
    from (
      select parent_id, state, 1 as rooms, coalesce(bytes, 0) as bytes from came
      union all select parent_id, state, -1, -coalesce(bytes, 0) from went
    ) as changes
    group by parent_id, state having sum(rooms) <> 0 or sum(bytes) <> 0;
  end if;
  if nextval('operation_item_counts_writes') % 200 = 0 then
    perform fold_operation_item_counts();
  end if;
  return null;
end $$;

-- Skipped while another transaction is at it, and in transactions for which a concurrent fold would be a conflict.
create function fold_operation_item_counts() returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' or not pg_try_advisory_xact_lock(7204014) then
    return;
  end if;
  with folded as (delete from operation_item_counts returning *)
  insert into operation_item_counts
  select parent_id, state, sum(rooms), sum(bytes) from folded group by parent_id, state
  having sum(rooms) <> 0 or sum(bytes) <> 0;
end $$;

create trigger operation_item_counts_insert after insert on operation_items
  referencing new table as came for each statement execute function keep_operation_item_counts();
create trigger operation_item_counts_update after update on operation_items
  referencing old table as went new table as came for each statement execute function keep_operation_item_counts();
create trigger operation_item_counts_delete after delete on operation_items
  referencing old table as went for each statement execute function keep_operation_item_counts();

-- Not of what is recorded already.
alter table operation_items add constraint operation_items_state_check
  check (state in ('waiting', 'running', 'done', 'skipped', 'failed', 'cancelled')) not valid;

-- A few at a time, so that each is locked for a moment only. Not to be called in a transaction.
create procedure translate_operation_items() language plpgsql as $$
declare
  parents uuid[] := array(select distinct parent_id from operation_item_counts where state in ('migrated', 'postponed'));
  parent uuid;
begin
  foreach parent in array parents loop
    loop
      update operation_items i set state = case i.state when 'migrated' then 'done' else 'skipped' end
        from (select room_id from operation_items
               where parent_id = parent and state in ('migrated', 'postponed') limit 1000 for update) as next
       where i.parent_id = parent and i.room_id = next.room_id;
      exit when not found;
      commit;
    end loop;
  end loop;
end $$;

-- For processes of the release before, which read and write them under their former names.
create view live_migration_rooms as
  select parent_id as run_id, position, migration_id, room_id, room_name,
         case state when 'done' then 'migrated' when 'skipped' then 'postponed' when 'cancelled' then 'postponed'
                    else state end as state,
         operation_id, reason, bytes, bytes_at, ended_at, reasons
    from operation_items where migration_id is not null;
create view live_migration_counts as
  select parent_id as run_id,
         case state when 'done' then 'migrated' when 'skipped' then 'postponed' when 'cancelled' then 'postponed'
                    else state end as state,
         rooms, bytes
    from operation_item_counts c
   where not exists (select from operations o where o.id = c.parent_id and o.kind = 'bulk.run');
create rule live_migration_counts_write as on insert to live_migration_counts do instead
  insert into operation_item_counts
  values (new.run_id, case new.state when 'migrated' then 'done' when 'postponed' then 'skipped' else new.state end,
          new.rooms, new.bytes);

-- Only for updates: PostgreSQL inserts and deletes in the table itself, all rows at once, as those processes never insert
-- a state.
create function write_live_migration_room() returns trigger language plpgsql as $$
begin
  update operation_items
     set state = case new.state when 'migrated' then 'done' when 'postponed' then 'skipped' else new.state end,
         operation_id = new.operation_id, reason = new.reason, reasons = new.reasons,
         bytes = new.bytes, bytes_at = new.bytes_at, ended_at = new.ended_at
   where parent_id = old.run_id and room_id = old.room_id
  -- Another trigger may have taken the codes away.
  returning reasons into new.reasons;
  return new;
end $$;
create trigger live_migration_rooms_write instead of update on live_migration_rooms
  for each row execute function write_live_migration_room();
