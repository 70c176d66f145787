-- Which server a region is, wherever it can be reached.

-- A UUID that the region itself made; null until it has told one. Rows from before may name one server twice, so it is
-- not unique here: new registrations are checked.
alter table regions add instance_id uuid;
-- Since when a server answers at the region's address that is another one; its calls are refused meanwhile.
alter table regions add other_server_at timestamptz;
