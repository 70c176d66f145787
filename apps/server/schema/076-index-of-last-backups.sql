-- without a transaction
-- Fills the columns a few rooms at a time, while others write, and then builds the index of their order. It has what
-- rooms are counted and usually filtered by, too.
call fill_last_backups();
drop index concurrently if exists rooms_by_last_backup;
create index concurrently rooms_by_last_backup on rooms (last_backup_at, name)
  include (region_id, state, product, edition, sales_channel);
