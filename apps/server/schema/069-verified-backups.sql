-- Backups that are restored in a test, each by one operation at a time.
create unique index operations_one_verification on operations ((input ->> 'backupId'))
  where kind = 'backup.verify' and state in ('waiting', 'running', 'cancelling');

-- How many backups of a room its policy has made since it had one verified. Rows of policies and rooms that are gone are
-- removed by housekeeping.
create table verification_counts (
  policy_id uuid not null,
  room_id uuid not null,
  backups integer not null,
  -- The backups that were due until then are counted.
  counted_until timestamptz not null,
  primary key (policy_id, room_id)
);
