-- Uploads and backups: what lies in the backup store, and whose it is.

-- Files that operators sent, until the operation that uses them is done.
create table uploads (
  -- The temporary name.
  name text primary key,
  operator_id uuid not null,
  kind text not null check (kind in ('backup', 'database')),
  store_key text not null,
  -- As the operator's computer calls it.
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  -- What a backup holds, and its whole manifest; null for a database export.
  contents jsonb,
  manifest jsonb,
  created_at timestamptz not null default now(),
  -- When an operation took it; nothing else can take it any more.
  taken_at timestamptz,
  -- From then on it counts as gone; null while an operation uses it.
  delete_after timestamptz
);
create index uploads_delete_after on uploads (delete_after) where delete_after is not null;

-- They belong to a room's id, not to its name, and outlive the room.
create table room_backups (
  id uuid primary key,
  room_id uuid not null,
  room_name text not null,
  kind text not null check (kind in ('classic', 'd2o')),
  -- classic: the key in the backup store; d2o: the s3:// address.
  location text not null,
  size bigint not null,
  sha256 text not null,
  -- When it was last read back and found whole.
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  -- Set when the room is deleted.
  expires_at timestamptz
);
create index room_backups_room on room_backups (room_id, created_at desc);
create index room_backups_expires_at on room_backups (expires_at) where expires_at is not null;

create table database_backups (
  id uuid primary key,
  room_id uuid not null,
  database_name text not null,
  store_key text not null,
  size bigint not null,
  sha256 text not null,
  -- Of the .adb; encrypted with SECRET_KEY.
  sealed_password text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
-- Names that differ only in case are one name.
create index database_backups_newest on database_backups (room_id, lower(database_name), created_at desc);
create index database_backups_expires_at on database_backups (expires_at) where expires_at is not null;

-- Links for one download. Only the SHA-256 of a ticket is kept.
create table backup_tickets (
  token_hash bytea primary key,
  backup_id uuid not null references room_backups on delete cascade,
  expires_at timestamptz not null
);
create index backup_tickets_backup on backup_tickets (backup_id);
