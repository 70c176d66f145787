-- without a transaction
-- Which rooms are due in a part of a window. And the operations of policies that went well: those that were retried
-- (their backup is done after all), and the others, which are removed after a few days.
drop index concurrently if exists rooms_by_turn;
create index concurrently rooms_by_turn on rooms (room_turn(id));
drop index concurrently if exists operations_of_policies;
create index concurrently operations_of_policies on operations (attempt, ended_at)
  where state = 'done' and started_by = 'system'
    and kind in ('room.backup-scheduled', 'room.backup-scheduled-d2o', 'backup.verify');
