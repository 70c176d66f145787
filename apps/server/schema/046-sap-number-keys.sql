-- SAP contract numbers are compared without case and without spaces around them.
create function sap_number_key(given text) returns text language sql immutable parallel safe
  return lower(btrim(given, E' \t\n\v\f\r\u00a0\u2007\u202f\u3000') collate "und-x-icu");

-- True: the room's new number is one of another room, from the time when they were compared to the letter. Null: it is
-- its own.
alter table rooms add column shares_sap_number boolean;
