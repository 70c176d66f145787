-- Operations that many rooms wait for, such as those of a bulk or of a backup policy: they stand behind those of operators
-- in the line for a region's slots, and never hold all of them.
alter table operation_places add column background boolean not null default false;
create index operation_places_by_turn on operation_places (region_id, background, n) where not held;
