-- A new SAP contract number is used by no other room, neither as its original nor as its new one, whoever writes it.

-- Nobody may add a room to those that are marked before the index guards them.
lock table rooms in share row exclusive mode;

-- What is there already stays, but is marked: the oldest room of a number has it for its own.
update rooms r set shares_sap_number = true
 where r.sap_number_last is not null
   and (exists (select from rooms o where o.id <> r.id and sap_number_key(o.sap_number) = sap_number_key(r.sap_number_last))
     or r.id in (select id from (
       select id, row_number() over (partition by sap_number_key(sap_number_last) order by created_at, id) as place
         from rooms where sap_number_last is not null) as numbered where place > 1));

create unique index rooms_new_sap_number on rooms (sap_number_key(sap_number_last))
  where sap_number_last is not null and shares_sap_number is null;
drop index rooms_sap_number_last;
create index rooms_shared_sap_number on rooms (name) where shares_sap_number;

create function check_new_sap_number() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if sap_number_key(new.sap_number_last) is not distinct from sap_number_key(old.sap_number_last) then
      return new;
    end if;
    new.shares_sap_number := null;
  end if;
  if new.shares_sap_number is null and exists (
    select from rooms where id <> new.id and sap_number_key(sap_number) = sap_number_key(new.sap_number_last)
  ) then
    raise exception 'The SAP contract number is the original one of another project room.'
      using errcode = 'unique_violation', constraint = 'rooms_new_sap_number', table = 'rooms';
  end if;
  return new;
end $$;
create trigger rooms_new_sap_number before insert or update of sap_number_last on rooms for each row
  when (new.sap_number_last is not null) execute function check_new_sap_number();
