-- without a transaction
-- For the seal of one entry. Built while others write.
drop index concurrently if exists audit_seals_entry;
create index concurrently audit_seals_entry on audit_seals (entry_id);
