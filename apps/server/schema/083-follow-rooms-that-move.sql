-- What waits for a backup or a test of a room waits for a place in the room's region, and the room may move meanwhile.
create function follow_moved_room() returns trigger language plpgsql as $$
begin
  update scheduled_backups set region_id = new.region_id where room_id = new.id and state = 'waiting';
  update verification_counts set region_id = new.region_id
   where policy_id = any(array(select id from backup_policies)) and room_id = new.id;
  return null;
end $$;
create trigger follow_moved_room after update of region_id on rooms
  for each row when (old.region_id is distinct from new.region_id) execute function follow_moved_room();
