-- Whatever ends an operation ends its steps: none of them is shown as running after that.

create function end_operation_steps() returns trigger language plpgsql as $$
begin
  update operation_steps set state = 'failed', ended_at = now() where operation_id = new.id and state = 'running';
  return null;
end $$;
create trigger operations_end_steps after update of state on operations for each row
  when (new.state in ('done', 'failed', 'cancelled') and old.state is distinct from new.state)
  execute function end_operation_steps();

update operation_steps s set state = 'failed', ended_at = coalesce(s.ended_at, o.ended_at)
  from operations o where o.id = s.operation_id and s.state = 'running' and o.state in ('done', 'failed', 'cancelled');

-- Begun before the database was restored from a dump: what it made may have been used since. See deploy/after-restore.sql.
alter table operations add restored boolean not null default false;
