-- One truth for operations: the record says who runs an operation, why it failed, and whether it waits for places. An
-- open operation that nobody has claimed and that does not wait for places is in line for a worker, by being so.

-- Of before: whoever still holds a lease finds it gone and ends.
delete from workers;
alter table workers
  -- The operations that the worker says it runs; one that it has claimed and does not run is taken from it.
  add column running uuid[] not null default '{}';

alter table operations
  -- A worker whose row goes, for whatever reason, has lost all of its operations in that moment.
  add column worker_id uuid references workers on delete set null,
  add column claimed_at timestamptz,
  -- Waits for places on regions; kept by the triggers of operation_places.
  add column in_line boolean not null default false,
  -- {reason, sort}: why it failed. While it is open, it is being put back for that.
  add column failure jsonb;
alter table operation_places alter column from_step set default 0;

create index operations_unclaimed on operations (executed_at, id)
  where worker_id is null and not in_line and state in ('waiting', 'running', 'cancelling');
create index operations_claimed on operations (worker_id) where worker_id is not null;

update operations set in_line = true
 where state in ('waiting', 'running', 'cancelling')
   and exists (select from operation_places p where p.operation_id = operations.id and not p.held);
-- What was being put back after a failure goes on with that.
update operations o set failure = jsonb_build_object('sort', null, 'reason', coalesce(
    (select substr(text, length(s.name) + 3) from operation_log l join operation_steps s using (operation_id, position)
      where l.operation_id = o.id and l.level = 'error' and l.at >= o.executed_at and l.text like s.name || ': %'
      order by l.n limit 1),
    'It failed before an update of Roomkeeper; its log says why.'))
 where o.state in ('running', 'cancelling') and not o.cancel_requested
   and exists (select from operation_steps s where s.operation_id = o.id and s.state in ('failed', 'undone')
                                               and s.ended_at >= o.executed_at);

-- What the engine of before had queued is found in the record now.
do $$
begin
  if to_regclass('dbos.workflow_status') is not null then
    update dbos.workflow_status set status = 'CANCELLED' where status in ('PENDING', 'ENQUEUED', 'DELAYED');
  end if;
end $$;

-- However an operation ends, nobody holds it any more, and its places are free: those it works in, and those it kept
-- for a room on its way.
create function let_go_of_operation() returns trigger language plpgsql as $$
begin
  new.worker_id := null;
  new.in_line := false;
  return new;
end $$;
create trigger operations_let_go before update of state on operations for each row
  when (new.state in ('done', 'failed', 'cancelled') and old.state is distinct from new.state)
  execute function let_go_of_operation();

create or replace function free_operation_places() returns trigger language plpgsql as $$
begin
  delete from operation_places where operation_id = new.id;
  delete from reserved_places where operation_id = new.id;
  return null;
end $$;

-- Those of operations that ended without it.
delete from reserved_places r where exists (
  select from operations o where o.id = r.operation_id and o.state in ('done', 'failed', 'cancelled'));

-- Workers wait for these words on roomkeeper_work instead of looking again and again.
create function call_workers() returns trigger language plpgsql as $$
begin
  perform pg_notify('roomkeeper_work', 'operations');
  return null;
end $$;
create trigger operations_call_workers after insert on operations for each row
  when (new.worker_id is null and not new.in_line and new.state in ('waiting', 'running', 'cancelling'))
  execute function call_workers();
create trigger operations_call_workers_again after update on operations for each row
  when (new.worker_id is null and not new.in_line and new.state in ('waiting', 'running', 'cancelling')
    and (old.worker_id is not null or old.in_line or old.state in ('done', 'failed', 'cancelled')))
  execute function call_workers();

create function tell_cancelled() returns trigger language plpgsql as $$
begin
  perform pg_notify('roomkeeper_work', 'cancel ' || new.id);
  return null;
end $$;
create trigger operations_tell_cancelled after update of cancel_requested on operations for each row
  when (new.cancel_requested and not old.cancel_requested and new.worker_id is not null)
  execute function tell_cancelled();

create function keep_line() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not new.held then
      update operations set in_line = true where id = new.operation_id and not in_line;
      perform pg_notify('roomkeeper_work', 'places');
    end if;
  elsif tg_op = 'UPDATE' then
    if new.held and not old.held then
      update operations set in_line = false where id = new.operation_id and in_line;
    end if;
  else
    if not old.held then
      update operations set in_line = false where id = old.operation_id and in_line;
    elsif exists (select from operation_places where not held) then
      perform pg_notify('roomkeeper_work', 'places');
    end if;
  end if;
  return null;
end $$;
create trigger operation_places_line after insert or update or delete on operation_places
  for each row execute function keep_line();
