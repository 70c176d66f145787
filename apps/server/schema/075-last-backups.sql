-- The newest backup of each room, as the list shows it, sorts and filters by it. Triggers keep it, because processes of
-- the release before record and remove backups, too.
alter table rooms
  -- A room without a backup counts as backed up before any time, so it comes first in this order. The year 1 stands for
  -- that, because processes of the release before cannot read -infinity.
  add column last_backup_at timestamptz not null default '0001-01-01 00:00:00+00',
  -- When that backup was last restored in a test; null: never.
  add column last_backup_restored_at timestamptz;

-- Which backups are known to be bad is looked up for each backup that is recorded.
create index doctor_findings_subject on doctor_findings (subject) where closed_at is null and subject is not null;

-- Of both kinds; one that the doctor knows to be missing or altered does not count.
create function last_backup_of(room uuid, out at timestamptz, out restored_at timestamptz) language sql stable as $$
  select coalesce(newest.created_at, '0001-01-01 00:00:00+00'), newest.restored_at from (select) as one left join lateral (
    select b.created_at, b.restored_at from room_backups b
     where b.room_id = room and not exists (
       select from doctor_findings f
        where f.kind in ('backup-missing', 'backup-altered') and f.subject = b.id::text and f.closed_at is null
     )
     order by b.created_at desc limit 1
  ) as newest on true
$$;

-- Locks the room before it looks: of two backups recorded at the same time, the second sees the first.
create function note_last_backup(room uuid) returns void language plpgsql as $$
begin
  perform from rooms where id = room for no key update;
  if found then
    update rooms set last_backup_at = newest.at, last_backup_restored_at = newest.restored_at
      from last_backup_of(room) as newest
     where id = room
       and (last_backup_at <> newest.at or last_backup_restored_at is distinct from newest.restored_at);
  end if;
end $$;

create function keep_last_backup() returns trigger language plpgsql as $$
begin
  perform note_last_backup(coalesce(new.room_id, old.room_id));
  return null;
end $$;
create trigger last_backup_insert after insert on room_backups for each row execute function keep_last_backup();
create trigger last_backup_delete after delete on room_backups for each row execute function keep_last_backup();
create trigger last_backup_update after update of created_at, restored_at on room_backups for each row
  when (old.created_at <> new.created_at or old.restored_at is distinct from new.restored_at)
  execute function keep_last_backup();

create function keep_last_backup_of_finding() returns trigger language plpgsql as $$
declare
  room uuid;
begin
  select room_id into room from room_backups where id = coalesce(new.subject, old.subject)::uuid;
  if found then
    perform note_last_backup(room);
  end if;
  return null;
end $$;
create trigger last_backup_insert after insert on doctor_findings for each row
  when (new.kind in ('backup-missing', 'backup-altered'))
  execute function keep_last_backup_of_finding();
create trigger last_backup_update after update of closed_at on doctor_findings for each row
  when (new.kind in ('backup-missing', 'backup-altered') and (old.closed_at is null) <> (new.closed_at is null))
  execute function keep_last_backup_of_finding();
create trigger last_backup_delete after delete on doctor_findings for each row
  when (old.kind in ('backup-missing', 'backup-altered') and old.closed_at is null)
  execute function keep_last_backup_of_finding();

-- A room that comes back, or is adopted, may have backups already.
create function find_last_backup() returns trigger language plpgsql as $$
begin
  select newest.at, newest.restored_at into new.last_backup_at, new.last_backup_restored_at
    from last_backup_of(new.id) as newest;
  return new;
end $$;
create trigger last_backup_insert before insert on rooms for each row execute function find_last_backup();

-- Mends the next rooms by their ids. Returns the last of them; null: there are no more.
create function recount_last_backups(after uuid, many integer default 500) returns uuid language plpgsql as $$
declare
  batch uuid[];
begin
  batch := array(
    select id from rooms where id > coalesce(after, '00000000-0000-0000-0000-000000000000') order by id limit many
  );
  perform from rooms where id = any(batch) order by id for no key update;
  update rooms set last_backup_at = newest.at, last_backup_restored_at = newest.restored_at
    from unnest(batch) as one(room) cross join lateral last_backup_of(one.room) as newest
   where id = one.room
     and (last_backup_at <> newest.at or last_backup_restored_at is distinct from newest.restored_at);
  return batch[cardinality(batch)];
end $$;

-- For all rooms, so that each is locked for a moment only. Not to be called in a transaction.
create procedure fill_last_backups() language plpgsql as $$
declare
  last uuid;
begin
  loop
    last := recount_last_backups(last);
    exit when last is null;
    commit;
  end loop;
end $$;
