-- Steps are known by ids that never change; their titles (`operation_steps.name`, `operations.step`) are for people.

-- In the order in which all processes lock them, and with little to do: others wait until this is over. So only the
-- few steps of operations that are under way get their ids now. Steps of operations that have ended get theirs when the
-- operation is retried; until then readers derive them from the titles. They are gone after 90 days.
lock table operations, operation_steps in access exclusive mode;
create function step_id_of(title text) returns text language sql immutable return coalesce(
  (select id from (values
      ('compare-everything', 'compare the console with its regions and stores'),
      ('look-first', 'look whether it still is so'),
      ('repair', 'repair the finding'),
      ('look-again', 'look again'),
      ('check-name', 'check the name on the region'),
      ('create-room', 'create the room on the region'),
      ('check-room', 'check the room on the region'),
      ('tell-customers', 'tell owner and delegate'),
      ('tell-stakeholders', 'tell the stakeholders'),
      ('delete-room', 'delete the room on the region'),
      ('change-room', 'change the room on the region'),
      ('suspend-room', 'suspend the room on the region'),
      ('resume-room', 'resume the room on the region'),
      ('make-backup', 'make the backup on the region'),
      ('store-backup', 'bring the backup into the store'),
      ('read-backup-back', 'read the backup back'),
      ('record-backup', 'record the backup'),
      ('send-backup', 'send the backup to the region'),
      ('send-backups', 'send the backups to the region'),
      ('keep-content', 'keep what the room holds'),
      ('restore-room', 'restore the room on the region'),
      ('write-backup', 'write the backup to the object store'),
      ('restore-from-object-store', 'restore the room from the object store'),
      ('send-settings', 'send licences, expiry and contacts'),
      ('delete-database', 'delete the database on the region'),
      ('export-database', 'export the database on the region'),
      ('restore-database', 'restore the database on the region'),
      ('check-databases', 'check the databases of the room'),
      ('send-database', 'send the database to the region'),
      ('import-database', 'import the database on the region'),
      ('back-room-up', 'back the room up'),
      ('check-sessions', 'check for active sessions'),
      ('check-lock', 'check whether the room is locked'),
      ('compare-copies', 'compare both copies'),
      ('create-copy', 'create the room in the target'),
      ('leave-source', 'leave the source'),
      ('lock-source', 'lock the room in the source'),
      ('look-at-room', 'look at the room on the region'),
      ('move-rooms', 'move the rooms'),
      ('open-target', 'open the room in the target'),
      ('remove-copies', 'remove the copies from the target'),
      ('remove-source', 'remove the room from the source'),
      ('remove-copy', 'remove the copy from the target'),
      ('restore-copy', 'restore the room in the target'),
      ('switch', 'switch to the target'),
      ('unlock-target', 'unlock the room in the target'),
      ('update-rooms', 'update the project rooms'),
      ('update-system-database', 'update the system database')
    ) as known (id, title) where known.title = step_id_of.title),
  title);

alter table operations add column step_id text;
alter table operation_steps add column step_id text;

-- The list of ids makes PostgreSQL use the primary key, however long the history is.
update operation_steps set step_id = step_id_of(name)
 where operation_id = any (array(select id from operations where state in ('waiting', 'running', 'cancelling')));
update operations set step_id = step_id_of(step)
 where state in ('waiting', 'running', 'cancelling') and step is not null;

-- Processes of the release before go on until they are replaced, and know nothing of ids.
create function set_step_id() returns trigger language plpgsql as $$
begin
  new.step_id := step_id_of(new.name);
  return new;
end $$;
create trigger operation_steps_id before insert on operation_steps
  for each row when (new.step_id is null) execute function set_step_id();

-- A title that is not in the list above is a newer release's, which writes the id itself.
create function set_current_step_id() returns trigger language plpgsql as $$
begin
  new.step_id := step_id_of(new.step);
  return new;
end $$;
create trigger operations_step_id before update of step on operations for each row
  when (new.step is distinct from old.step and new.step_id is not distinct from old.step_id
    and (new.step is null or step_id_of(new.step) <> new.step))
  execute function set_current_step_id();

-- Whichever release retries an operation.
create function set_step_ids() returns trigger language plpgsql as $$
begin
  update operation_steps set step_id = step_id_of(name) where operation_id = new.id and step_id is null;
  return null;
end $$;
create trigger operations_step_ids after update of state on operations for each row
  when (old.state in ('done', 'failed', 'cancelled') and new.state not in ('done', 'failed', 'cancelled'))
  execute function set_step_ids();
