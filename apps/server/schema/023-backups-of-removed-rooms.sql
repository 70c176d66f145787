-- Backups outlive the removal of their rooms' region, until somebody removes them by hand.

-- Rooms that were removed from here together with their region and left backups: whose they were.
create table removed_rooms (
  room_id uuid primary key,
  room_name text not null,
  region_name text not null,
  removed_at timestamptz not null default now()
);
create index removed_rooms_newest on removed_rooms (removed_at desc, room_id);

insert into removed_rooms (room_id, room_name, region_name, removed_at)
select distinct on (room_id) room_id, room_name, coalesce(detail, ''), at from audit
 where action = 'room.remove-with-region' and room_id is not null
   and (exists (select from room_backups b where b.room_id = audit.room_id)
     or exists (select from database_backups b where b.room_id = audit.room_id))
 order by room_id, id desc;
-- They were to expire after 30 days.
update room_backups set expires_at = null where room_id in (select room_id from removed_rooms);
update database_backups set expires_at = null where room_id in (select room_id from removed_rooms);
