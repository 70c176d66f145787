-- The lines of an entry's log, with the codes of what they say, which outlive its operation. Null: there are too many,
-- or a process of the release before has written the entry.
alter table live_migration_states add column lines jsonb;
