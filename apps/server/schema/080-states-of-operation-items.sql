-- without a transaction
-- Goes on with schema 065 while processes of the release before go on with their runs.
call translate_operation_items();
alter table operation_items validate constraint operation_items_state_check;
drop index concurrently if exists operation_items_states;
create index concurrently operation_items_states on operation_items (parent_id, state, region_id, position);
drop index concurrently if exists live_migration_rooms_states;
