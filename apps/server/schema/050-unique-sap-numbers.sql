-- without a transaction
-- What is there already stays, but is marked: the oldest room of a number has it for its own. If two transactions at
-- once have given a number to two rooms meanwhile, the index below cannot be built; the next start marks one of them.
update rooms r set shares_sap_number = true
 where r.sap_number_last is not null and r.shares_sap_number is null
   and (exists (select from rooms o where o.id <> r.id and sap_number_key(o.sap_number) = sap_number_key(r.sap_number_last))
     or r.id in (select id from (
       select id, row_number() over (partition by sap_number_key(sap_number_last) order by created_at, id) as place
         from rooms where sap_number_last is not null) as numbered where place > 1));

drop index concurrently if exists rooms_new_sap_number;
create unique index concurrently rooms_new_sap_number on rooms (sap_number_key(sap_number_last))
  where sap_number_last is not null and shares_sap_number is null;
drop index concurrently if exists rooms_sap_number_last;
drop index concurrently if exists rooms_shared_sap_number;
create index concurrently rooms_shared_sap_number on rooms (name) where shares_sap_number;
