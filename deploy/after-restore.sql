-- To be run once in a restored database, before any process of Roomkeeper is started on it. See docs/operations.md.
begin;

-- Nobody who had signed out since comes back in, and no link to a backup is good again.
truncate sessions, backup_tickets;

-- Their places count the transactions of the former server; consoles fetch everything anew.
truncate events;

-- Regions have seen later calls of the operations that were under way, and refuse what counts as earlier.
update operations set fence = fence + 1000000 where state in ('waiting', 'running', 'cancelling', 'failed');

-- The processes of then are gone; what they did is taken over.
delete from workers;

-- Totals and counts, in case the rooms were loaded without their triggers.
select recount_rooms();

commit;
