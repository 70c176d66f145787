-- The monitoring: what ran when, for which room, sorted and searched among a million entries.

-- When the present attempt was first taken by a worker, or was accepted while it waits in line.
alter table operations add executed_at timestamptz not null default now();
-- Nothing says when those of before began; they did not wait long.
update operations set executed_at = created_at;

-- A step's entry names its room, so that it is found and sorted without a look at its operation.
alter table operation_steps add room_name text;
update operation_steps s set room_name = o.room_name
  from operations o where o.id = s.operation_id and s.process_type is not null;

drop index operations_shown;
drop index operation_steps_shown;

create index operations_by_time on operations (executed_at, id) where process_type is not null;
create index operations_by_name on operations (room_name, executed_at, id)
  where process_type is not null;
create index operations_by_process on operations (process_type, executed_at, id)
  where process_type is not null;
create index operations_by_region on operations (region_id, executed_at, id)
  where process_type is not null;
create index operations_by_state on operations (state, executed_at, id)
  where process_type is not null;
create index operations_name_search on operations using gin (room_name gin_trgm_ops) where process_type is not null;

-- The state of a step's entry is told in the words of operations.
create index operation_steps_by_time on operation_steps (started_at, operation_id, position)
  where process_type is not null and started_at is not null;
create index operation_steps_by_name on operation_steps (room_name, started_at, operation_id, position)
  where process_type is not null and started_at is not null;
create index operation_steps_by_process on operation_steps (process_type, started_at, operation_id, position)
  where process_type is not null and started_at is not null;
create index operation_steps_by_region on operation_steps (region_id, started_at, operation_id, position)
  where process_type is not null and started_at is not null;
create index operation_steps_by_state on operation_steps
  ((case state when 'undone' then 'cancelled' else state end), started_at, operation_id, position)
  where process_type is not null and started_at is not null;
create index operation_steps_name_search on operation_steps using gin (room_name gin_trgm_ops)
  where process_type is not null and started_at is not null;

create index operation_log_of_step on operation_log (operation_id, position, n) where position is not null;
