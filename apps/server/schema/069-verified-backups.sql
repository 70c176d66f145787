-- How many backups of a room its policy has made since it had one verified. Rows of policies and rooms that are gone are
-- removed by housekeeping.
create table verification_counts (
  policy_id uuid not null,
  room_id uuid not null,
  -- Of the room, at its last backup.
  region_id integer not null,
  backups integer not null,
  -- Whether it is time to verify one.
  is_due boolean not null,
  primary key (policy_id, room_id)
);
create index verification_counts_due on verification_counts (region_id) where is_due;
