-- How the scheduled backups of a policy have ended lately, without reading its table.
create index scheduled_backups_ends on scheduled_backups (policy_id, due_at desc, state);
-- A failed one whose operation is retried is done after all.
create index scheduled_backups_failed on scheduled_backups (operation_id) where state = 'failed';
-- Those that are over are removed after a while.
create index scheduled_backups_over on scheduled_backups (due_at) where state in ('done', 'failed', 'missed');
