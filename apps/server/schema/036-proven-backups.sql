-- When the content of a database's backup was last found to be what the region made; null: it never was, or the last
-- reading came to something else, or to no end. Only one that is proven stands for those before it.
alter table database_backups add column proved_at timestamptz;
-- Until now a reading that failed left the same mark as one that went well: the doctor reads them anew, before others.
update database_backups set checked_at = null where checked_at is not null;
