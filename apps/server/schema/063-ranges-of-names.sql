-- How many rooms there are in each range of names, so that a page in the middle of all of them is found without walking
-- along half of them. As for room_totals, triggers only add rows, so writers never wait for each other here. What they
-- add has the name, not the range: ranges may be divided while others write. At every moment the rooms of a range are
-- those that it counts and the changes whose names lie in it.
create table room_name_ranges (
  -- A range ends where the next begins; the first begins with the empty text.
  start text primary key,
  rooms integer not null
) with (fillfactor = 50);
create table room_name_changes (
  name text not null,
  change integer not null
);
create sequence room_name_writes;

create function keep_room_names() returns trigger language plpgsql as $$
declare
  written integer;
begin
  if tg_op = 'INSERT' then
    insert into room_name_changes select name, 1 from came;
  else
    insert into room_name_changes select name, -1 from went;
  end if;
  get diagnostics written = row_count;
  if written > 20 or nextval('room_name_writes') % 200 = 0 then
    perform fold_room_names();
  end if;
  return null;
end $$;

create function keep_room_name() returns trigger language plpgsql as $$
begin
  insert into room_name_changes values (old.name, -1), (new.name, 1);
  return null;
end $$;

-- Adds the changes to their ranges, and divides ranges that have more than twice `size` rooms. Only who holds the lock
-- writes ranges. Skipped while another transaction is at it, and in transactions for which a concurrent fold would be a
-- conflict.
create function fold_room_names(size integer default 1000) returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' or not pg_try_advisory_xact_lock(7203415) then
    return;
  end if;
  with folded as (delete from room_name_changes returning name, change),
    placed as (
      select (select start from room_name_ranges where start <= name order by start desc limit 1) as place, change
      from folded
    ),
    added as (select place, sum(change) as change from placed group by place having sum(change) <> 0)
  update room_name_ranges set rooms = rooms + added.change from added where start = added.place;
  -- The names of an empty range, all of them in changes to come, then belong to the one before.
  delete from room_name_ranges where rooms = 0 and start <> '';
  if exists (select from room_name_ranges where rooms > 2 * size) then
    perform divide_room_names(size);
  end if;
end $$;

-- Counts the rooms of the ranges that are too long, all in one statement, because changes that were made since the last
-- one are among these rooms and still to be added.
create function divide_room_names(size integer) returns void language plpgsql as $$
begin
  with ranges as (select start, rooms, lead(start) over (order by start) as until from room_name_ranges),
    numbered as (
      select ranges.start, until, name, (row_number() over (partition by ranges.start order by name) - 1) / size as part
      from ranges join rooms on name >= ranges.start and (until is null or name < until)
      where ranges.rooms > 2 * size
    ),
    parts as (
      select case part when 0 then start else min(name) end as start, until, start as whole, count(*) as rooms
      from numbered group by numbered.start, until, part
    ),
    bounded as (
      select start, rooms, coalesce(lead(start) over (partition by whole order by start), until) as until from parts
    )
  insert into room_name_ranges as kept
  select start, rooms - coalesce((
    select sum(change) from room_name_changes
    where name >= bounded.start and (bounded.until is null or name < bounded.until)
  ), 0)
  from bounded
  on conflict (start) do update set rooms = excluded.rooms;
end $$;

create trigger room_names_insert after insert on rooms
  referencing new table as came for each statement execute function keep_room_names();
create trigger room_names_update after update of name on rooms
  for each row when (old.name <> new.name) execute function keep_room_name();
create trigger room_names_delete after delete on rooms
  referencing old table as went for each statement execute function keep_room_names();

-- Counts the ranges anew. Nobody changes rooms meanwhile.
create function recount_room_names(size integer default 1000) returns void language plpgsql as $$
begin
  lock table rooms in share row exclusive mode;
  delete from room_name_changes;
  delete from room_name_ranges;
  insert into room_name_ranges select '', count(*) from rooms;
  perform divide_room_names(size);
end $$;

alter function recount_rooms() rename to recount_totals_and_months;
create function recount_rooms() returns void language plpgsql as $$
begin
  perform recount_totals_and_months();
  perform recount_room_names();
end $$;
select recount_room_names();
