-- How operations ended, for the audit trail, whose entries are kept longer than operations are.
create table operation_outcomes (
  operation_id uuid primary key,
  state text not null,
  error text,
  error_reasons jsonb
);

-- A trigger, because processes of the release before remove operations, too.
create function keep_outcomes() returns trigger language plpgsql as $$
begin
  insert into operation_outcomes (operation_id, state, error, error_reasons)
  select id, state, error, error_reasons from removed
   where state in ('done', 'failed', 'cancelled')
  on conflict (operation_id) do nothing;
  return null;
end $$;
create trigger operations_outcomes after delete on operations
  referencing old table as removed for each statement execute function keep_outcomes();
