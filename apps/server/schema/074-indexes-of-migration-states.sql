-- without a transaction
-- Each move looks for the entry of its operation, a purge for those of its room.
drop index concurrently if exists live_migration_states_operation;
create index concurrently live_migration_states_operation on live_migration_states (operation_id);
drop index concurrently if exists live_migration_states_room;
create index concurrently live_migration_states_room on live_migration_states (room_id);
