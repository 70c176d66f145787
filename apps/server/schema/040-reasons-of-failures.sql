-- What texts of failures say, sentence by sentence: codes and their parameters, so that the console can write them in its
-- language. Null: the text is all there is, as in records of before.
alter table operations add column error_reasons jsonb;
alter table operation_log add column reasons jsonb;
alter table rooms add column error_reasons jsonb;
alter table live_migration_rooms add column reasons jsonb;
alter table live_migration_states add column error_reasons jsonb;

-- Processes of the release before go on until they are replaced, and write the texts alone.
create function forget_error_reasons() returns trigger language plpgsql as $$
begin
  new.error_reasons := null;
  return new;
end $$;
create trigger rooms_error_reasons before update of error_message on rooms for each row
  when (new.error_message is distinct from old.error_message and new.error_reasons is not distinct from old.error_reasons)
  execute function forget_error_reasons();
create trigger operations_error_reasons before update of error on operations for each row
  when (new.error is distinct from old.error and new.error_reasons is not distinct from old.error_reasons)
  execute function forget_error_reasons();

create function forget_reasons() returns trigger language plpgsql as $$
begin
  new.reasons := null;
  return new;
end $$;
create trigger live_migration_rooms_reasons before update of reason on live_migration_rooms for each row
  when (new.reason is distinct from old.reason and new.reasons is not distinct from old.reasons)
  execute function forget_reasons();
