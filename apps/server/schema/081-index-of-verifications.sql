-- without a transaction
-- Backups that are restored in a test, each by one operation at a time. Built while others write.
drop index concurrently if exists operations_one_verification;
create unique index concurrently operations_one_verification on operations ((input ->> 'backupId'))
  where kind = 'backup.verify' and state in ('waiting', 'running', 'cancelling');
