-- without a transaction
-- Takes the place of rooms_sap_number, which compares to the letter. Built while others write.
drop index concurrently if exists rooms_sap_number_key;
create index concurrently rooms_sap_number_key on rooms (sap_number_key(sap_number));
drop index concurrently if exists rooms_sap_number;
