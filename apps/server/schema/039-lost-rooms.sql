-- Why a room is in the state ERROR, where something depends on it: 'lost', when its region answers that it does not have
-- the room, or not what was moved there. `error_message` is for people.
alter table rooms add column error_code text;

create function error_code_of(message text) returns text language sql immutable return case
  when message like 'The region % does not have the project room (any more).%'
    or message like 'The project room in % does not hold what was moved there%' then 'lost' end;

update rooms set error_code = error_code_of(error_message) where state = 'ERROR' and error_code_of(error_message) is not null;

-- Processes of the release before go on until they are replaced, and write the message alone.
create function set_error_code() returns trigger language plpgsql as $$
begin
  new.error_code := error_code_of(new.error_message);
  return new;
end $$;
create trigger rooms_error_code before update of error_message on rooms for each row
  when (new.error_message is distinct from old.error_message and new.error_code is not distinct from old.error_code)
  execute function set_error_code();
