-- What an operation that has ended may still have on its way to a region: a call whose answer was lost, or whose worker
-- died. The row goes as soon as the region has been told to refuse it, and after a day, because nothing takes longer.
create table late_calls (
  operation_id uuid not null,
  region_id integer not null,
  -- null: of any room.
  room_id text,
  -- The operation's, when it ended.
  fence integer not null,
  ended_at timestamptz not null default now(),
  primary key (operation_id, region_id)
);
create index late_calls_room on late_calls (region_id, room_id);
