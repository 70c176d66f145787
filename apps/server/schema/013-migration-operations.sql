-- What the operations of live migrations need: places on more than one region, redirections, quick looks at a run.

-- The places of operations on regions (REGION_CONCURRENCY), of those that wait in line and of those that have them.
-- An operation takes all of its places at once, so two that need the same regions never wait for each other.
create sequence operation_places_order;
create table operation_places (
  operation_id uuid not null references operations on delete cascade,
  region_id integer not null,
  -- The place in the line; the same for all places of an operation.
  n bigint not null,
  held boolean not null default false,
  attempt integer not null,
  from_step integer not null,
  primary key (operation_id, region_id)
);
create index operation_places_line on operation_places (region_id, held, n);
create index operation_places_waiting on operation_places (n) where not held;

-- Whatever ends an operation frees its places.
create function free_operation_places() returns trigger language plpgsql as $$
begin
  delete from operation_places where operation_id = new.id;
  return null;
end $$;
create trigger operations_free_places after update of state on operations for each row
  when (new.state in ('done', 'failed', 'cancelled') and old.state is distinct from new.state)
  execute function free_operation_places();

-- Regions that redirect the visitors of a room that moved away.
create table room_routes (
  room_id uuid not null,
  region_id integer not null references regions on delete cascade,
  room_name text not null,
  target_region_id integer not null references regions on delete cascade,
  primary key (room_id, region_id)
);

-- What a run looks at again and again must not grow with the run.
create index live_migration_rooms_waiting on live_migration_rooms (run_id, position) where state = 'waiting';
create index live_migration_rooms_running on live_migration_rooms (run_id) where state = 'running';

-- How many lines the operation's log has, so that a line is one statement.
alter table operations add log_lines integer not null default 0;
update operations set log_lines = (select coalesce(max(n), 0) from operation_log where operation_id = operations.id);
