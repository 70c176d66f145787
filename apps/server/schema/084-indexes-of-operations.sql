-- without a transaction
-- For purges: operations about a room that keep no other operation waiting.
drop index concurrently if exists operations_about_room;
create index concurrently operations_about_room on operations ((input ->> 'roomId'))
  where room_id is null and input ? 'roomId';
-- For housekeeping: those whose secrets are forgotten after a day.
drop index concurrently if exists operations_with_secrets;
create index concurrently operations_with_secrets on operations (ended_at) where state = 'failed' and input ? 'sealed';
