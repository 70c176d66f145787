-- Links for one download of an export: each is good for one minute, once, and while the session that asked for it lives.
-- Only the SHA-256 of a ticket is kept. Sessions are not referenced: a link of an ended one says so.
create table download_tickets (
  token_hash bytea primary key,
  session_hash bytea not null,
  -- The download that it is for, and its query as on the wire.
  download text not null,
  query jsonb not null,
  expires_at timestamptz not null
);

-- Null: the link was made by an earlier release, and is good for its ten minutes.
alter table backup_tickets add column session_hash bytea;
