-- Backups that were restored in a test. The column verified_at goes on saying when a file was read back and found whole,
-- because processes of the release before write it so; checked_at is the doctor's, and is also set for altered files.
alter table room_backups add column restored_at timestamptz;
