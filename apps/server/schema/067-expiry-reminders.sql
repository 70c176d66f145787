-- Which reminders of a room's last day were sent: one for each number of days before it. Another last day is reminded
-- of anew.
create table expiry_reminders (
  room_id uuid not null references rooms on delete cascade,
  expiration_date date not null,
  days integer not null,
  -- Null: a later reminder was due at the same time, and was sent instead.
  operation_id uuid,
  at timestamptz not null default now(),
  -- Who has got the e-mail.
  told text[] not null default '{}',
  -- When it failed: the day from which it is tried again.
  again_on date,
  primary key (room_id, expiration_date, days)
);
