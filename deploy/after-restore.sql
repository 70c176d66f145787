-- Run once in a restored database, before any Roomkeeper process is started on it, with the administrators who may sign
-- in at once: psql -v ON_ERROR_STOP=1 -v keep=ada@example.com,eve@example.com -f after-restore.sql. See docs/operations.md.
\set ON_ERROR_STOP 1
\if :{?keep}
\else
  \warn 'Please name the administrators who may sign in at once: -v keep=ada@example.com'
  do $$ begin raise exception 'Nothing was changed.'; end $$;
\endif
begin;

-- Accounts that were deleted or demoted since the dump, or got a new password, would have their access back.
create temporary table kept on commit drop as
select id, role from operators where lower(email) = any(string_to_array(replace(lower(:'keep'), ' ', ''), ','));
do $$ begin
  if not exists (select from kept where role = 'CLOUD_ADMINISTRATOR') then
    raise exception 'None of those named is an administrator in this database; nothing was changed.';
  end if;
end $$;
update operators set locked_at = now() where locked_at is null and id not in (select id from kept);
update operators set locked_at = null where id in (select id from kept);

-- Sessions that have ended since the dump must not become valid again, nor links to backups and exports.
truncate sessions, backup_tickets, download_tickets;
-- Nobody knows which API tokens were revoked since the dump, so all are.
update api_tokens set revoked_at = steady_now() where revoked_at is null;

-- Secrets that were renewed since the dump because they leaked would sign again, and deleted webhooks would be told again.
update webhooks set is_on = false, version = version + 1 where is_on and id <> '00000000-0000-4000-8000-00000000e3a1';
-- E-mails that wait in the dump may have been sent since. In the history of its room each can be sent again.
update webhook_deliveries set state = 'ended', next_try_at = null, claim = null
 where webhook_id = '00000000-0000-4000-8000-00000000e3a1' and state = 'waiting';

-- Cursors count the transactions of the former server; consoles fetch everything anew.
truncate events;

-- Regions have seen later calls of the unfinished operations, and refuse calls with a lower fence.
update operations set fence = fence + 1000000 where state in ('waiting', 'running', 'cancelling', 'failed');

-- Unfinished operations may have ended since the dump; what they made or were about to remove may be in use.
update operations set began_before_restore = true where state in ('waiting', 'running', 'cancelling', 'failed');

-- No operation that removes or replaces something on a region continues by itself. Each such operation is failed, and
-- waits until a person has looked at the region and chosen Retry, in the monitoring or at the project room.
create temporary table parked on commit drop as
select p.*, jsonb_build_array(jsonb_build_object('code', 'told', 'params', jsonb_build_object('told', p.error))) as reasons
  from (
    select id, kind, room_id, input,
           exists (select from operation_steps s where s.operation_id = o.id and s.state = 'done'
                      and s.step_id = 'switch') as switched,
           case kind
             when 'room.migrate' then 'The database was restored from a dump that was taken during this move. Choose Retry: it looks where the project room is, and removes nothing that may be the only copy.'
             when 'migration.run' then 'The database was restored from a dump that was taken during this live migration. Please start it again.'
             when 'bulk.run' then 'The database was restored from a dump that was taken during this bulk. No further project room begins by itself. If they are still to, choose Retry.'
             when 'room.purge' then 'The database was restored from a dump that was taken before this purge had ended. If the project room was not brought back since, and is to be purged, choose Retry.'
             when 'room.restore-deleted' then 'The database was restored from a dump that was taken before this project room was back. Choose Retry: it removes nothing that may be in use. When the region has the project room, it is kept there: delete it, which takes a last backup.'
             when 'room.delete' then 'The database was restored from a dump that was taken before this deletion had ended. If the project room is to go, choose Retry.'
             else 'The database was restored from a dump that was taken before this operation had ended. If it has not ended on the region, and is still wished for, choose Retry.'
           end as error
      from operations o
     where state in ('waiting', 'running', 'cancelling')
       and kind in ('room.delete', 'room.migrate', 'room.restore', 'room.restore-d2o', 'room.restore-new', 'room.import',
                    'room.create-from-backup', 'room.restore-deleted', 'room.purge', 'bulk.run', 'database.delete', 'database.restore', 'database.import', 'migration.run',
                    'migration.force-delete', 'migration.leave-source', 'migration.leave-target', 'migration.open-target',
                    'doctor.repair')
  ) as p;

update operations o
   set state = 'failed', ended_at = steady_now(), error = p.error, error_reasons = p.reasons, worker_id = null,
       awaits_slots = false,
       failure = case when o.cancel_requested then o.failure
                      else jsonb_build_object('reasons', p.reasons, 'failureCode', null) end
  from parked p where o.id = p.id;
delete from operation_slots s using parked p where s.operation_id = p.id;
delete from capacity_reservations c using parked p where c.operation_id = p.id;
update operation_steps s set state = 'failed', ended_at = now()
  from parked p where s.operation_id = p.id and s.state = 'running';

-- Calls that they sent after the dump was taken may still be on their way: regions are told to refuse them.
insert into late_calls (operation_id, region_id, room_id, fence)
select o.id, region.id, coalesce(o.room_id::text, o.input->>'roomId'), o.fence
  from parked p join operations o on o.id = p.id,
       unnest(array[o.region_id, (o.input->>'targetRegionId')::int]
              -- A purge asks them all.
              || case o.kind when 'room.purge' then array(select id from regions) end) as region(id)
 where region.id is not null
    on conflict do nothing;

-- Retrying a move that has not switched undoes it: it looks for the copy and opens the source, whether or not the dump
-- knows that the copy was made and the source closed.
update operation_steps s set state = 'failed', ended_at = now()
  from parked p
 where s.operation_id = p.id and p.kind = 'room.migrate' and not p.switched and s.state = 'open'
   and s.step_id in ('create-copy', 'switch');
-- The other operations start from the beginning: what they put in place may have been used since, and is not undone.
update operation_steps s set state = 'undone'
  from parked p
 where s.operation_id = p.id and s.state <> 'open'
   and p.kind in ('room.restore', 'room.restore-d2o', 'database.restore', 'database.import', 'database.delete');

-- A room that was to be replaced by a restore is whole before and after it; a person has to look at the other rooms.
update rooms r set state = 'SUSPENDED', version = version + 1
  from parked p where r.id = p.room_id and r.state = 'IN_PROGRESS' and p.kind in ('room.restore', 'room.restore-d2o');
update rooms r set state = 'ERROR', error_message = p.error, error_reasons = p.reasons, error_code = null,
  version = version + 1
  from parked p where r.id = p.room_id and r.state in ('IN_PROGRESS', 'MARKED_FOR_DELETION');

-- Uploads are kept for a retry, as after any failure.
update uploads u set delete_after = steady_now() + interval '24 hours'
  from parked p where u.name in (p.input->>'upload', p.input->>'productUpload');

update operation_items m set state = 'failed', reason = p.error, reasons = p.reasons, ended_at = now()
  from parked p where m.operation_id = p.id and m.state = 'running';
update bulks b set state = case when exists (select from operation_items m where m.parent_id = b.id and m.state = 'done')
                                then 'PARTIALLY_DONE' else 'FAILED' end, ended_at = steady_now()
 where state in ('WAITING', 'RUNNING') and b.id in (select id from parked);
-- A room whose restore or purge is parked stays where it is until a person decides. One that exists again may be in
-- use: it is deleted like any other.
update deleted_rooms d set operation_id = null
  from parked p where p.id = d.operation_id and d.purge_begun_at is null;
-- Housekeeping would remove them, and their backups, before anybody can look.
update deleted_rooms set kept_until = greatest(kept_until, steady_now() + interval '7 days');
update live_migrations set state = 'STOPPED' where state = 'RUNNING';

-- The former processes are gone; other workers take their operations over.
delete from workers;

-- Seals that were written down outside of the database since the dump are missing in it. The entry names the seal with
-- which the trail of the dump ends, and counts once it has a seal itself.
insert into audit (actor, action, detail, detail_reasons)
select 'system', 'audit.acknowledge', 'a dump was restored, in which the trail ends with the seal ' || position
         || ' (' || hex || '); entries that were made after the dump are missing',
       jsonb_build_array(jsonb_build_object('code', 'audit-dump-restored',
                                            'params', jsonb_build_object('position', position, 'hash', hex)))
  from audit_head, encode(hash, 'hex') as hex;
select count(*) as sealed from seal_audit(true) \gset
update doctor_findings set closed_at = steady_now() where kind = 'audit-cut-off' and closed_at is null;

-- Totals and counts may be wrong if the rooms were loaded without their triggers.
select recount_rooms();

\echo 'Accounts that an administrator has to confirm:'
select email, name, role from operators where locked_at is not null order by email;
\echo 'Operations that wait for a decision, by kind:'
select kind, count(*) as operations from parked group by kind order by kind;
\echo 'All sessions have ended, all API tokens are revoked, all webhooks are off, waiting e-mails are not sent.'

commit;
