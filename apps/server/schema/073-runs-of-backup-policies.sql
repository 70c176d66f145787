-- How many scheduled backups of a policy have ended how, by the day (UTC) on which they were due.
create table scheduled_backup_days (
  policy_id uuid not null references backup_policies on delete cascade,
  day date not null,
  done integer not null,
  failed integer not null,
  missed integer not null,
  primary key (policy_id, day)
);
-- When the last one has begun.
create index scheduled_backups_begun on scheduled_backups (policy_id, started_at) where started_at is not null;
-- A failed one whose operation is retried is done after all.
create index scheduled_backups_failed on scheduled_backups (operation_id) where state = 'failed';
-- Those that are over are removed after a while.
create index scheduled_backups_over on scheduled_backups (due_at, policy_id, room_id)
  where state in ('done', 'failed', 'missed');
