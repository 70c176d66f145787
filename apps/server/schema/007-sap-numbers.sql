-- A new SAP contract number must be used by no other room, neither as its original nor as its new one.
create index rooms_sap_number on rooms (sap_number);
create index rooms_sap_number_last on rooms (sap_number_last) where sap_number_last is not null;
