-- Project rooms that were deleted and can come back from their last backup.
create table deleted_rooms (
  id uuid primary key default gen_random_uuid(),
  room_id uuid not null unique,
  name text not null,
  product text not null,
  edition text not null,
  customer_email text not null,
  company_name text not null,
  -- The row of the room as it was. Its state is that of before the deletion.
  columns jsonb not null,
  -- The last backup, from which the room comes back while that is there and good; null: there is none (any more).
  backup_id uuid references room_backups on delete set null,
  deleted_at timestamptz not null default now(),
  deleted_by text not null,
  kept_until timestamptz not null,
  -- Of the operation that brings it back or removes it for good.
  operation_id uuid
);
create index deleted_rooms_newest on deleted_rooms (deleted_at desc, id);
create index deleted_rooms_kept_until on deleted_rooms (kept_until);
create index deleted_rooms_backup on deleted_rooms (backup_id) where backup_id is not null;
