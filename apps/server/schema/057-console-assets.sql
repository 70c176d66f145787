-- The files of the console's build, with hashed names, so that every process also serves those of other builds: a page
-- that was opened before an upgrade still asks for its own, and while servers are replaced, one may be asked for those of
-- another. Each is kept for a week after the last process that has it on disk. Processes of the release before do not use it.
create table console_assets (
  name text primary key,
  -- Its content, gzipped.
  gzipped bytea not null,
  needed_until timestamptz not null
);
-- The content is compressed already.
alter table console_assets alter column gzipped set storage external;
