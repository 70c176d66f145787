-- Project rooms, what the list needs to be fast with a million of them, and their totals.

create extension if not exists pg_trgm;

create type product as enum ('ARIS', 'MINING', 'ENTERPRISE');
create type edition as enum ('basic', 'advanced', 'enterprise', 'advanced-base-extension', 'enterprise-shared');
create type sales_channel as enum ('direct-sales', 'online-shop');
-- As stored; DISABLED_REGION is derived from the region.
create type room_state as enum ('DEFAULT', 'MARKED_FOR_DELETION', 'ERROR', 'SUSPENDED', 'IN_PROGRESS');
create type sub_mining_type as enum ('NONE', 'MINING_BASIC', 'MINING_ENTERPRISE');

-- Columns of fixed width come first, because reading a column costs a walk over all texts before it.
create table rooms (
  id uuid primary key,
  region_id integer not null references regions,
  state room_state not null,
  product product not null,
  edition edition not null,
  sales_channel sales_channel not null,
  sub_mining_type sub_mining_type not null default 'NONE',
  priority integer not null default 0,
  -- Grows with each change that an operator could have overlooked.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  expiration_date date,

  -- The counts of the licence catalogue's totals; null instead of 0 takes no space.
  designers bigint generated always as (nullif(coalesce((licences->>'YABD')::bigint, 0) + coalesce((licences->>'YAAD')::bigint, 0), 0)) stored,
  viewers bigint generated always as (nullif(coalesce((licences->>'YABV')::bigint, 0) + coalesce((licences->>'YAAV')::bigint, 0), 0)) stored,
  architects bigint generated always as (nullif((licences->>'YAAA')::bigint, 0)) stored,
  ep_bus bigint generated always as (nullif((licences->>'YAABS')::bigint, 0)) stored,
  ep_eam bigint generated always as (nullif((licences->>'YAAEAM')::bigint, 0)) stored,
  designers_sap bigint generated always as (nullif((licences->>'YAADS')::bigint, 0)) stored,
  architects_sap bigint generated always as (nullif((licences->>'YAAAS')::bigint, 0)) stored,
  yukon_data_volume bigint generated always as (nullif((jsonb_path_query_first(sub_licences, '$[*] ? (@.licenseKey == "DataVolumeGB").subLicenseAmount'))::bigint, 0)) stored,
  ai_credits bigint generated always as (nullif((licences->>'ESAI')::bigint, 0)) stored,
  yukon_viewer bigint generated always as (nullif(coalesce((licences->>'YPMAV')::bigint, 0) + coalesce((licences->>'YPMEV')::bigint, 0), 0)) stored,
  yukon_engineer bigint generated always as (nullif(coalesce((licences->>'YPMAE')::bigint, 0) + coalesce((licences->>'YPMEE')::bigint, 0), 0)) stored,
  yukon_analyst bigint generated always as (nullif(coalesce((licences->>'YPMBA')::bigint, 0) + coalesce((licences->>'YPMAA')::bigint, 0) + coalesce((licences->>'YPMEA')::bigint, 0), 0)) stored,
  es_designer bigint generated always as (nullif((licences->>'ESD')::bigint, 0)) stored,
  es_viewer bigint generated always as (nullif((licences->>'ESV')::bigint, 0)) stored,
  es_viewer_pro bigint generated always as (nullif((licences->>'ESVP')::bigint, 0)) stored,
  es_admin bigint generated always as (nullif((licences->>'ESA')::bigint, 0)) stored,

  name text not null,
  sap_number text not null,
  sap_number_last text,
  customer_first_name text not null,
  customer_last_name text not null,
  customer_email text not null,
  customer_contact_details text,
  company_name text not null,
  salesman text,
  salesman_email text not null,
  additional_email text,
  error_message text,
  -- Licence key to count.
  licences jsonb not null,
  -- [{ licenseKey, licenseAmount, licenseType }]
  licences_information jsonb not null,
  -- [{ licenseKey, subLicenseAmount, productKey }]
  sub_licences jsonb not null,
  -- The fields that the console searches, in small letters, apart by a character that none of them has.
  search text generated always as (
    lower(name || E'\x1f' || customer_first_name || E'\x1f' || customer_last_name || E'\x1f' || customer_email)
  ) stored
);

create unique index rooms_name on rooms (name) include (region_id, state, product, edition, sales_channel);
create index rooms_search on rooms using gin (search gin_trgm_ops);
-- Expected matches of a search decide how the list is read.
alter table rooms alter search set statistics 500;

-- Orders of the list; what most filters look at is in the index too, so that skipped rows are not fetched.
-- People are in dictionary order; ties are in order of the name.
create index rooms_by_region on rooms (region_id, name) include (state, product, edition, sales_channel);
create index rooms_by_rare_state on rooms (state, name) include (region_id, product, edition, sales_channel)
  where state <> 'DEFAULT';
create index rooms_by_created_at on rooms (created_at, name) include (region_id, state);
create index rooms_by_expiration_date on rooms (expiration_date, name) include (region_id, state);
create index rooms_by_first_name on rooms (customer_first_name collate "und-x-icu", name) include (region_id, state);
create index rooms_by_last_name on rooms (customer_last_name collate "und-x-icu", name) include (region_id, state);
create index rooms_by_email on rooms (customer_email collate "und-x-icu", name) include (region_id, state);

-- Counts of rooms and licences, so that lists that are filtered by nothing but these columns need not count.
-- Written by triggers as additions only, so that concurrent transactions never wait for each other here; the truth
-- is the sum over all rows with the same columns. Now and then the rows are folded into one for each.
create table room_totals (
  region_id integer not null,
  state room_state not null,
  product product not null,
  edition edition not null,
  sales_channel sales_channel not null,
  rooms bigint not null,
  designers bigint, viewers bigint, architects bigint, ep_bus bigint, ep_eam bigint, designers_sap bigint,
  architects_sap bigint, yukon_data_volume bigint, ai_credits bigint, yukon_viewer bigint, yukon_engineer bigint,
  yukon_analyst bigint, es_designer bigint, es_viewer bigint, es_viewer_pro bigint, es_admin bigint
);
create sequence room_totals_writes;

create function keep_room_totals() returns trigger language plpgsql as $$
declare
  written integer;
begin
  if tg_op = 'UPDATE' then
    if not exists (
      select from came full join went using (id)
      where (came.region_id, came.state, came.product, came.edition, came.sales_channel, came.licences, came.sub_licences)
        is distinct from
            (went.region_id, went.state, went.product, went.edition, went.sales_channel, went.licences, went.sub_licences)
    ) then
      return null;
    end if;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    insert into room_totals
    select region_id, state, product, edition, sales_channel, count(*),
      sum(designers), sum(viewers), sum(architects), sum(ep_bus), sum(ep_eam), sum(designers_sap),
      sum(architects_sap), sum(yukon_data_volume), sum(ai_credits), sum(yukon_viewer), sum(yukon_engineer),
      sum(yukon_analyst), sum(es_designer), sum(es_viewer), sum(es_viewer_pro), sum(es_admin)
    from came group by region_id, state, product, edition, sales_channel;
    get diagnostics written = row_count;
  end if;
  if tg_op in ('DELETE', 'UPDATE') then
    insert into room_totals
    select region_id, state, product, edition, sales_channel, -count(*),
      -sum(designers), -sum(viewers), -sum(architects), -sum(ep_bus), -sum(ep_eam), -sum(designers_sap),
      -sum(architects_sap), -sum(yukon_data_volume), -sum(ai_credits), -sum(yukon_viewer), -sum(yukon_engineer),
      -sum(yukon_analyst), -sum(es_designer), -sum(es_viewer), -sum(es_viewer_pro), -sum(es_admin)
    from went group by region_id, state, product, edition, sales_channel;
    get diagnostics written = row_count;
  end if;
  -- After every 200 small changes, and after each that left many rows.
  if written > 20 or nextval('room_totals_writes') % 200 = 0 then
    perform fold_room_totals();
  end if;
  return null;
end $$;

-- Costs as much as there are rows to fold. Skipped while another transaction is at it, and in transactions for which
-- a concurrent fold would be a conflict.
create function fold_room_totals() returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' or not pg_try_advisory_xact_lock(7203413) then
    return;
  end if;
  with folded as (delete from room_totals returning *)
  insert into room_totals
  select region_id, state, product, edition, sales_channel, sum(rooms),
    sum(designers), sum(viewers), sum(architects), sum(ep_bus), sum(ep_eam), sum(designers_sap),
    sum(architects_sap), sum(yukon_data_volume), sum(ai_credits), sum(yukon_viewer), sum(yukon_engineer),
    sum(yukon_analyst), sum(es_designer), sum(es_viewer), sum(es_viewer_pro), sum(es_admin)
  from folded group by region_id, state, product, edition, sales_channel having sum(rooms) <> 0;
end $$;

create trigger room_totals_insert after insert on rooms
  referencing new table as came for each statement execute function keep_room_totals();
create trigger room_totals_update after update on rooms
  referencing old table as went new table as came for each statement execute function keep_room_totals();
create trigger room_totals_delete after delete on rooms
  referencing old table as went for each statement execute function keep_room_totals();

-- regions.room_count. Capacity is reserved under the region's row lock, so waiting for it is wanted here.
create function keep_region_counts() returns trigger language plpgsql as $$
declare
  changes record;
begin
  if tg_op = 'UPDATE' then
    if not exists (select from came join went using (id) where came.region_id <> went.region_id) then
      return null;
    end if;
  end if;
  for changes in execute case tg_op
    when 'INSERT' then 'select region_id as id, count(*) as change from came group by 1 order by 1'
    when 'DELETE' then 'select region_id as id, -count(*) as change from went group by 1 order by 1'
    else 'select region_id as id, sum(change) as change
          from (select region_id, 1 as change from came union all select region_id, -1 from went) as moved
          group by 1 having sum(change) <> 0 order by 1'
    end
  loop
    update regions set room_count = room_count + changes.change where id = changes.id;
  end loop;
  return null;
end $$;

create trigger region_counts_insert after insert on rooms
  referencing new table as came for each statement execute function keep_region_counts();
create trigger region_counts_update after update on rooms
  referencing old table as went new table as came for each statement execute function keep_region_counts();
create trigger region_counts_delete after delete on rooms
  referencing old table as went for each statement execute function keep_region_counts();

-- Counts everything anew, for data that came in without triggers (such as a restored dump).
create function recount_rooms() returns void language plpgsql as $$
begin
  lock table rooms in share row exclusive mode;
  delete from room_totals;
  insert into room_totals
  select region_id, state, product, edition, sales_channel, count(*),
    sum(designers), sum(viewers), sum(architects), sum(ep_bus), sum(ep_eam), sum(designers_sap),
    sum(architects_sap), sum(yukon_data_volume), sum(ai_credits), sum(yukon_viewer), sum(yukon_engineer),
    sum(yukon_analyst), sum(es_designer), sum(es_viewer), sum(es_viewer_pro), sum(es_admin)
  from rooms group by region_id, state, product, edition, sales_channel;
  update regions set room_count = (select count(*) from rooms where region_id = regions.id);
end $$;

create function recount_no_rooms() returns trigger language plpgsql as $$
begin
  perform recount_rooms();
  return null;
end $$;
create trigger rooms_truncated after truncate on rooms for each statement execute function recount_no_rooms();
