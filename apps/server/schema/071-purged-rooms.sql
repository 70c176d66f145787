-- Deleted project rooms can be purged: of them nothing is left but a certificate.

-- Since when a room can only be purged, as some of its backups may be gone; null: it can come back.
alter table deleted_rooms add column purge_begun_at timestamptz;
-- The files that its purges have removed, or were about to.
alter table deleted_rooms add column purged_files jsonb not null default '[]';
-- Who had a purge that failed retried; null: it goes on for who began it.
alter table deleted_rooms add column purge_retried_by text;

create table purged_rooms (
  -- The one it had among the deleted rooms.
  id uuid primary key,
  room_id uuid not null,
  name text not null,
  company_name text not null,
  -- What the certificate says, except where the audit trail vouches for it.
  statement jsonb not null,
  -- Hexadecimal, of the statement as canonical JSON.
  sha256 text not null,
  -- The entry in the audit trail that holds the SHA-256.
  audit_id bigint not null,
  purged_at timestamptz not null,
  purged_by text not null
);
create index purged_rooms_newest on purged_rooms (purged_at desc, id);
