-- A new SAP contract number is used by no other room, neither as its original nor as its new one, whoever writes it.
-- From now on nobody adds a room to those that the next change marks. Each part of the condition has its index, once
-- that change has built them; until then a write of a new number reads the table.
-- No plan of a time when the table was empty may stay with a connection that then writes many rooms.
create function check_new_sap_number() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  wanted constant text := sap_number_key(new.sap_number_last);
begin
  if tg_op = 'UPDATE' then
    if wanted is not distinct from sap_number_key(old.sap_number_last) then
      return new;
    end if;
    new.shares_sap_number := null;
  end if;
  if wanted is null or new.shares_sap_number then
    return new;
  end if;
  if exists (select from rooms where sap_number_key(sap_number) = wanted and id <> new.id)
    or exists (
      select from rooms
       where sap_number_key(sap_number_last) = wanted and sap_number_last is not null and shares_sap_number is null
         and id <> new.id)
    or exists (
      select from rooms where shares_sap_number and sap_number_key(sap_number_last) = wanted and id <> new.id)
  then
    raise exception 'The SAP contract number is the one of another project room.'
      using errcode = 'unique_violation', constraint = 'rooms_new_sap_number', table = 'rooms';
  end if;
  return new;
end $$;
create trigger rooms_new_sap_number before insert or update of sap_number_last on rooms for each row
  execute function check_new_sap_number();
