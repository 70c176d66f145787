-- The whole schema, by subject: time, operators, the audit trail, regions, rooms, events, operations, operations over many
-- rooms, backups, deleted rooms, backup policies, settings, the doctor, webhooks, the newest backup of each room, the
-- console's files.
--
-- Until 1.0.0 this file is changed in place, and a database that was made from another state of it is refused.

create extension if not exists pg_trgm;

-- ---------------------------------------------------------------------------------------------------------------------
-- Time.

-- When housekeeping has last looked at the time of this database; one row.
create table time_looks (
  id boolean primary key default true check (id),
  looked_at timestamptz not null,
  -- The last look before the time jumped, and the first one after that. Null: it goes on steadily.
  jumped_from timestamptz,
  jumped_at timestamptz
);

-- For the times of records that are removed when they are old: one written after the clock was set back is not older than
-- the last look.
create function steady_now() returns timestamptz language sql stable as $$
  select greatest(now(), (select looked_at from time_looks))
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Operators, how they sign in, and what they keep.

create table operators (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null,
  role text not null check (role in ('CLOUD_SUPPORT', 'CLOUD_SALES', 'CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR')),
  password_hash text not null,
  -- Set when a dump is restored: the account may have been changed or deleted since the dump, so it has to be confirmed.
  locked_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index operators_email on operators (lower(email));

-- Only the SHA-256 of a token is kept.
create table sessions (
  token_hash bytea primary key,
  operator_id uuid not null references operators on delete cascade,
  awaits_second_factor boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
create index sessions_operator on sessions (operator_id);

-- An attempt to sign in is counted before it is looked at, and its row goes when it was a good one.
create table failed_sign_ins (
  id bigint generated always as identity primary key,
  email text not null,
  -- The network that counts: an IPv4 address, or the /64 of an IPv6 address.
  address text not null,
  at timestamptz not null default now()
);
create index failed_sign_ins_address on failed_sign_ins (address, at);

-- With API tokens, other programs make calls in the name of the operator who made them. Only the SHA-256 is kept.
-- They go with the account. What was refused stays visible after a token has expired or was revoked.
create table api_tokens (
  id uuid primary key default gen_random_uuid(),
  operator_id uuid not null references operators on delete cascade,
  name text not null,
  role text not null check (role in ('CLOUD_SUPPORT', 'CLOUD_SALES', 'CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR')),
  token_hash bytea not null unique,
  -- Addresses and networks from which it may be used; empty: from anywhere.
  networks text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- To the minute.
  last_used_at timestamptz,
  last_used_from text,
  -- Calls that were refused, and the last of them.
  refused_times bigint not null default 0,
  refused_at timestamptz,
  refused_from text,
  refused_why text check (refused_why in ('expired', 'revoked', 'network'))
);
create unique index api_tokens_name on api_tokens (operator_id, lower(name)) where revoked_at is null;

-- Links for one download of an export: each is good for one minute, once, and while the session that asked for it lives.
-- Only the SHA-256 of a ticket is kept. Sessions are not referenced: a link of an ended one says so.
create table download_tickets (
  token_hash bytea primary key,
  session_hash bytea not null,
  -- The download that it is for, and its query as on the wire.
  download text not null,
  query jsonb not null,
  expires_at timestamptz not null
);

-- Views of the list of rooms, kept for the operator who saved them. They go with the account.
create table views (
  id uuid primary key default gen_random_uuid(),
  operator_id uuid not null references operators on delete cascade,
  name text not null,
  is_shared boolean not null default false,
  query text not null,
  columns jsonb not null,
  created_at timestamptz not null default now()
);
create unique index views_name on views (operator_id, lower(name));
create index views_shared on views (operator_id) where is_shared;

-- ---------------------------------------------------------------------------------------------------------------------
-- The audit trail. It can be searched, and an entry that was altered, removed or slipped in can be found: each entry has
-- a seal, the SHA-256 over the seal before it and the entry itself. `npm run audit:verify` walks them.

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  room_id uuid,
  room_name text,
  operation_id uuid,
  -- Text, and the codes of what it says; none where it is a name.
  detail text,
  detail_reasons jsonb not null default '[]',
  changes jsonb not null default '[]',
  request_id text
);
create index audit_room on audit (room_id, at desc, id desc) where room_id is not null;
create index audit_actor on audit (lower(actor) text_pattern_ops, id);
create index audit_action on audit (action text_pattern_ops, at, id);
create index audit_room_name on audit (lower(room_name) text_pattern_ops, at, id) where room_name is not null;
create index audit_at on audit (at, id);

-- In which group of activity an entry is; entries of project rooms are apart, because all operators may read them.
create function activity_group(action text, actor text, room_id uuid) returns text language sql immutable as $$
  select case when room_id is null then '' else 'room ' end || case
    when action like 'operator.sign-%' or action like 'operator.second-factor%'
      or action in ('operator.password-change-failed', 'operator.refused', 'token.refused') then 'sign-ins'
    when actor = 'system' then 'system'
    else 'changes' end
$$;
-- The operator who acted, signed in or with an API token.
create function operator_of(actor text) returns text language sql immutable as $$
  select lower(split_part(actor, ' (token ', 1))
$$;
create index audit_group on audit (activity_group(action, actor, room_id), at, id);
create index audit_operator on audit (operator_of(actor), activity_group(action, actor, room_id), at, id);
create index audit_operator_action on audit (operator_of(actor), action, at, id);

-- Entries that have no seal yet. Writers do not wait: seals are made after commits.
create table audit_unsealed (entry_id bigint primary key);

-- Positions have no gaps. Entries are sealed in the order in which they were committed, which need not be that of ids.
create table audit_seals (
  position bigint primary key,
  entry_id bigint not null,
  hash bytea not null
);
-- For the seal of one entry.
create index audit_seals_entry on audit_seals (entry_id);

-- One row: the newest seal.
create table audit_head (
  is_set boolean primary key default true check (is_set),
  position bigint not null,
  hash bytea not null,
  sealed_at timestamptz not null default now()
);
insert into audit_head (position, hash) values (0, sha256('the audit trail of Roomkeeper'));

create function audit_awaits_seal() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed values (new.id);
  return null;
end $$;
create trigger audit_awaits_seal after insert on audit for each row execute function audit_awaits_seal();

-- What a seal vouches for. Never change it: older seals could not be checked any more.
create function audit_content(entry audit) returns text language sql stable as $$
  select jsonb_build_array(
    entry.id, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), entry.actor, entry.action,
    entry.room_id, entry.room_name, entry.operation_id, entry.detail, entry.detail_reasons, entry.changes,
    entry.request_id)::text
$$;

-- Seals up to 10,000 entries; one caller at a time. A caller that does not wait returns at once if another one is
-- sealing. Returns the new head, or no row when nothing was sealed.
create function seal_audit(waits boolean) returns setof audit_head language plpgsql as $$
declare
  head audit_head;
  before bigint;
  entry record;
begin
  if not exists (select from audit_unsealed) then return; end if;
  if waits then
    select * into head from audit_head for update;
  else
    select * into head from audit_head for update skip locked;
  end if;
  if not found then return; end if;
  before := head.position;
  for entry in
    with taken as (
      delete from audit_unsealed
      where entry_id in (select entry_id from audit_unsealed order by entry_id limit 10000)
      returning entry_id
    )
    -- Also one that was removed before it got its seal: it will be missed.
    select taken.entry_id, coalesce(audit_content(audit), '') as content
    from taken left join audit on audit.id = taken.entry_id order by taken.entry_id
  loop
    head.position := head.position + 1;
    head.hash := sha256(head.hash || convert_to(entry.content, 'UTF8'));
    insert into audit_seals values (head.position, entry.entry_id, head.hash);
  end loop;
  if head.position = before then return; end if;
  return query update audit_head set position = head.position, hash = head.hash, sealed_at = now() returning *;
end $$;

-- Prevents mistakes. Tampering is shown by the seals.
create function audit_stays() returns trigger language plpgsql as $$
begin
  raise exception 'The audit trail is only ever added to.';
end $$;
create trigger audit_stays before update or delete or truncate on audit
  for each statement execute function audit_stays();
create trigger audit_seals_stay before update or delete or truncate on audit_seals
  for each statement execute function audit_stays();

-- ---------------------------------------------------------------------------------------------------------------------
-- Regions: the server installations that host rooms.

create table regions (
  id integer generated by default as identity primary key,
  name text not null,
  url text not null,
  user_name text not null,
  -- Encrypted with SECRET_KEY.
  password text not null,
  system_password text not null,
  products text[] not null,
  source_regions integer[] not null default '{}',
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  -- -1 is unlimited.
  max_rooms integer not null default -1 check (max_rooms >= -1),
  -- Rooms in any state and reserved capacity; kept by triggers on both tables.
  room_count integer not null default 0,
  -- How often its settings were changed, so that nobody overwrites what they have not seen. Kept by a trigger.
  version integer not null default 1,
  -- Set for the region servers that this console starts itself.
  embedded_name text unique,
  -- Which server it is, wherever it can be reached: a UUID that the region itself made; null until it has told one.
  -- Not unique here, because two addresses may come to lead to one server: new registrations are checked.
  instance_id uuid,
  -- Since when a server answers at the region's address that is another one; its calls are refused meanwhile.
  other_server_at timestamptz,
  -- What the newest call has shown: the version of its software, and whether it answers. Null: no call has told yet.
  software_version text,
  health text constraint regions_health check (health in ('answers', 'unreachable', 'refuses-login')),
  -- Since when it has this health.
  health_since timestamptz,
  -- Since when webhooks are told that it is down: so that they are told once, by whichever process, and that it is up
  -- again only after that.
  down_since timestamptz,
  created_at timestamptz not null default now()
);
create unique index regions_name on regions (lower(name));

create function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger regions_version
  before update of name, url, user_name, password, system_password, products, source_regions, state, max_rooms on regions
  for each row when (
    (old.name, old.url, old.user_name, old.password, old.system_password, old.products, old.source_regions, old.state,
     old.max_rooms)
    is distinct from
    (new.name, new.url, new.user_name, new.password, new.system_password, new.products, new.source_regions, new.state,
     new.max_rooms))
  execute function count_version();

-- Capacity reserved for rooms on their way: counted by the region until the room is switched to it, or stays where it is.
create table capacity_reservations (
  room_id uuid primary key,
  region_id integer not null references regions on delete cascade,
  operation_id uuid not null
);
create function count_capacity_reservations() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update regions set room_count = room_count + 1 where id = new.region_id;
  else
    update regions set room_count = room_count - 1 where id = old.region_id;
  end if;
  return null;
end $$;
create trigger capacity_reservations_counted after insert or delete on capacity_reservations
  for each row execute function count_capacity_reservations();

-- When a force delete on a region ended; for 20 minutes nothing is moved there.
create table forced_deletions (
  region_id integer not null references regions on delete cascade,
  operation_id uuid not null,
  ended_at timestamptz not null default steady_now()
);
create index forced_deletions_region on forced_deletions (region_id, ended_at desc);

-- Regions that redirect the visitors of a room that moved away.
create table redirects (
  room_id uuid not null,
  region_id integer not null references regions on delete cascade,
  room_name text not null,
  target_region_id integer not null references regions on delete cascade,
  primary key (room_id, region_id)
);

-- What an operation that has ended may still have on its way to a region: a call whose answer was lost, or whose worker
-- died. The row goes as soon as the region has been told to refuse it, and after a day, because nothing takes longer.
create table late_calls (
  operation_id uuid not null,
  region_id integer not null,
  -- null: of any room.
  room_id text,
  -- The operation's, when it ended.
  fence integer not null,
  ended_at timestamptz not null default steady_now(),
  primary key (operation_id, region_id)
);
create index late_calls_room on late_calls (region_id, room_id);

-- ---------------------------------------------------------------------------------------------------------------------
-- Project rooms, what the list needs to be fast with a million of them, and their totals.

create type product as enum ('ARIS', 'MINING', 'ENTERPRISE');
create type edition as enum ('basic', 'advanced', 'enterprise', 'advanced-base-extension', 'enterprise-shared');
create type sales_channel as enum ('direct-sales', 'online-shop');
-- As stored; DISABLED_REGION is derived from the region.
create type room_state as enum ('DEFAULT', 'MARKED_FOR_DELETION', 'ERROR', 'SUSPENDED', 'IN_PROGRESS');
create type sub_mining_type as enum ('NONE', 'MINING_BASIC', 'MINING_ENTERPRISE');

-- By what customers are told apart: the company's name, regardless of case and of how many spaces there are.
create function customer_key(name text) returns text language sql immutable parallel safe
  return lower(btrim(regexp_replace(name, '\s+', ' ', 'g')) collate "und-x-icu");

-- For comparing labels regardless of case.
create function label_keys(labels text[]) returns text[] language sql immutable parallel safe
  return array(select lower(label collate "und-x-icu") from unnest(labels) as label);

-- The labels as text for `rooms.search`. array_to_string is immutable for texts, but not declared so.
create function searched_labels(labels text[]) returns text language sql immutable parallel safe
  return array_to_string(labels, E'\x1f');

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
  -- Of the newest backup, kept by triggers. A room without one counts as backed up in the year 1, before any time, so it
  -- comes first in this order.
  last_backup_at timestamptz not null default '0001-01-01 00:00:00+00',
  -- When that backup was last restored in a test; null: never.
  last_backup_restored_at timestamptz,

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

  -- Sorted by bytes, because regions list their rooms in that order.
  name text collate "C" not null,
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
  -- Why it is in the state ERROR, for people; where something depends on it, as a code: 'lost', when its region answers
  -- that it does not have the room, or not what was moved there; and sentence by sentence, as codes and their parameters,
  -- so that the console can write it in its language.
  error_message text,
  error_code text,
  error_reasons jsonb,
  -- Licence key to count.
  licences jsonb not null,
  -- [{ licenseKey, licenseAmount, licenseType }]
  licences_information jsonb not null,
  -- [{ licenseKey, subLicenseAmount, productKey }]
  sub_licences jsonb not null,
  -- Free words, in the order in which they were given; no two differ only in case.
  labels text[] not null default '{}',
  label_keys text[] collate "C" not null
    generated always as (case when labels = '{}' then '{}' else label_keys(labels) end) stored,
  customer_key text collate "C" not null generated always as (customer_key(company_name)) stored,
  -- The searched fields in lower case, joined by a separator that none of them contains. Before the company stands another
  -- separator, so that the fields before it can be searched alone.
  search text generated always as (
    lower(
      (name || E'\x1f' || customer_first_name || E'\x1f' || customer_last_name || E'\x1f' || customer_email || E'\x1e'
        || company_name || E'\x1f' || sap_number || E'\x1f' || coalesce(sap_number_last, '')
        || E'\x1f' || case when labels = '{}' then '' else searched_labels(labels) end) collate "default"
    )
  ) stored
);

-- Orders of the list; what most filters look at is in the index too, so that skipped rows are not fetched. People are in
-- dictionary order; ties are in order of the name. In other orders all rooms are sorted.
create unique index rooms_name on rooms (name) include (region_id, state, product, edition, sales_channel);
create index rooms_by_region on rooms (region_id, name) include (state, product, edition, sales_channel);
create index rooms_by_rare_state on rooms (state, name) include (region_id, product, edition, sales_channel)
  where state <> 'DEFAULT';
create index rooms_by_last_backup on rooms (last_backup_at, name)
  include (region_id, state, product, edition, sales_channel);
create index rooms_by_created_at on rooms (created_at, name) include (region_id, state);
create index rooms_by_expiration_date on rooms (expiration_date, name) include (region_id, state);
create index rooms_by_last_name on rooms (customer_last_name collate "und-x-icu", name) include (region_id, state);
-- The rooms of a customer: how many are in which state, and which expires next.
create index rooms_by_customer on rooms (customer_key, expiration_date) include (region_id, state);
-- For forgotten room names, which delegates ask for by their address; owners are found by the search.
create index rooms_by_delegate on rooms (lower(additional_email)) where additional_email is not null;

-- Most rooms have no label.
create index rooms_by_label on rooms using gin (label_keys) where labels <> '{}';

create index rooms_search on rooms using gin (search gin_trgm_ops);
-- Expected matches decide how the list is read.
alter table rooms alter search set statistics 500;

-- SAP contract numbers are compared without case, without spaces around them, by what their characters mean (NFKC), and
-- without invisible characters, which only numbers from before that check hold.
create function sap_number_key(given text) returns text language sql immutable parallel safe
  return lower(
    btrim(
      regexp_replace(
        normalize(given, NFKC), '[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]',
        '', 'g'
      ),
      E' \t\n\v\f\r'
    ) collate "und-x-icu"
  );
create index rooms_sap_number_key on rooms (sap_number_key(sap_number));
create unique index rooms_new_sap_number on rooms (sap_number_key(sap_number_last)) where sap_number_last is not null;

-- A new SAP contract number is used by no other room: not as its new one, by the index above, and not as its original.
-- No plan of a time when the table was empty may stay with a connection that then writes many rooms.
create function check_new_sap_number() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  wanted constant text := sap_number_key(new.sap_number_last);
begin
  if tg_op = 'UPDATE' then
    if wanted is not distinct from sap_number_key(old.sap_number_last) then
      return new;
    end if;
  end if;
  if exists (select from rooms where sap_number_key(sap_number) = wanted and id <> new.id) then
    raise exception 'The SAP contract number is the one of another project room.'
      using errcode = 'unique_violation', constraint = 'rooms_new_sap_number', table = 'rooms';
  end if;
  return new;
end $$;
create trigger rooms_new_sap_number before insert or update of sap_number_last on rooms for each row
  when (new.sap_number_last is not null) execute function check_new_sap_number();

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

-- Rooms by month of creation (UTC), kept like room_totals: additions only, summed when read, folded now and then.
create table room_months (
  region_id integer not null,
  state room_state not null,
  product product not null,
  edition edition not null,
  sales_channel sales_channel not null,
  month date not null,
  rooms bigint not null
);
create sequence room_sums_writes;

-- Rooms and licences by customer, kept like room_totals. One row for each customer is folded; only the others change
-- between two folds, so the customers are read in the order of the folded rows.
create table customer_totals (
  key text collate "C" not null,
  -- The company as it was last written; null: of rooms that are no longer the customer's.
  name text,
  rooms bigint not null,
  designers bigint, viewers bigint, architects bigint, ep_bus bigint, ep_eam bigint, designers_sap bigint,
  architects_sap bigint, yukon_data_volume bigint, ai_credits bigint, yukon_viewer bigint, yukon_engineer bigint,
  yukon_analyst bigint, es_designer bigint, es_viewer bigint, es_viewer_pro bigint, es_admin bigint,
  -- Null: folded.
  added_at timestamptz default clock_timestamp()
);
create index customer_totals_key on customer_totals (key);
create index customer_totals_added on customer_totals (key) where added_at is not null;
create index customer_totals_by_name on customer_totals ((key collate "und-x-icu")) where added_at is null;
create index customer_totals_by_rooms on customer_totals (rooms, (key collate "und-x-icu")) where added_at is null;

-- Other spellings of customers, as operators have said: rooms with this key belong to the customer `root`, which is no
-- other spelling itself. The names are as they were typed.
create table customer_aliases (
  key text collate "C" primary key,
  name text not null,
  root text collate "C" not null,
  root_name text not null
);
create index customer_aliases_root on customer_aliases (root);

create function month_of(at timestamptz) returns date language sql immutable parallel safe
  return date_trunc('month', at at time zone 'UTC')::date;

-- Keeps room_totals, room_months, customer_totals and regions.room_count. Capacity is reserved under the region's row lock,
-- so waiting for that lock is wanted here.
create function keep_room_sums() returns trigger language plpgsql as $$
declare
  change record;
  totals integer := 0;
  months integer := 0;
  customers integer := 0;
  is_of_customers boolean := true;
begin
  if tg_op = 'TRUNCATE' then
    perform recount_rooms();
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if not exists (
      select from came full join went using (id)
      where (came.region_id, came.state, came.product, came.edition, came.sales_channel, came.licences, came.sub_licences,
             came.created_at, came.company_name)
        is distinct from
            (went.region_id, went.state, went.product, went.edition, went.sales_channel, went.licences, went.sub_licences,
             went.created_at, went.company_name)
    ) then
      return null;
    end if;
    -- Most changes are of the state alone.
    is_of_customers := exists (
      select from came full join went using (id)
      where (came.licences, came.sub_licences, came.company_name)
        is distinct from (went.licences, went.sub_licences, went.company_name)
    );
  end if;
  if tg_op <> 'DELETE' then
    insert into room_totals
    select region_id, state, product, edition, sales_channel, count(*),
      sum(designers), sum(viewers), sum(architects), sum(ep_bus), sum(ep_eam), sum(designers_sap),
      sum(architects_sap), sum(yukon_data_volume), sum(ai_credits), sum(yukon_viewer), sum(yukon_engineer),
      sum(yukon_analyst), sum(es_designer), sum(es_viewer), sum(es_viewer_pro), sum(es_admin)
    from came group by region_id, state, product, edition, sales_channel;
    get diagnostics totals = row_count;
    insert into room_months
    select region_id, state, product, edition, sales_channel, month_of(created_at), count(*)
    from came group by 1, 2, 3, 4, 5, 6;
    get diagnostics months = row_count;
    if is_of_customers then
      insert into customer_totals
      select customer_key, max(company_name), count(*),
        sum(designers), sum(viewers), sum(architects), sum(ep_bus), sum(ep_eam), sum(designers_sap),
        sum(architects_sap), sum(yukon_data_volume), sum(ai_credits), sum(yukon_viewer), sum(yukon_engineer),
        sum(yukon_analyst), sum(es_designer), sum(es_viewer), sum(es_viewer_pro), sum(es_admin)
      from came group by customer_key;
      get diagnostics customers = row_count;
    end if;
  end if;
  if tg_op <> 'INSERT' then
    insert into room_totals
    select region_id, state, product, edition, sales_channel, -count(*),
      -sum(designers), -sum(viewers), -sum(architects), -sum(ep_bus), -sum(ep_eam), -sum(designers_sap),
      -sum(architects_sap), -sum(yukon_data_volume), -sum(ai_credits), -sum(yukon_viewer), -sum(yukon_engineer),
      -sum(yukon_analyst), -sum(es_designer), -sum(es_viewer), -sum(es_viewer_pro), -sum(es_admin)
    from went group by region_id, state, product, edition, sales_channel;
    get diagnostics totals = row_count;
    insert into room_months
    select region_id, state, product, edition, sales_channel, month_of(created_at), -count(*)
    from went group by 1, 2, 3, 4, 5, 6;
    if is_of_customers then
      insert into customer_totals
      select customer_key, null, -count(*),
        -sum(designers), -sum(viewers), -sum(architects), -sum(ep_bus), -sum(ep_eam), -sum(designers_sap),
        -sum(architects_sap), -sum(yukon_data_volume), -sum(ai_credits), -sum(yukon_viewer), -sum(yukon_engineer),
        -sum(yukon_analyst), -sum(es_designer), -sum(es_viewer), -sum(es_viewer_pro), -sum(es_admin)
      from went group by customer_key;
      get diagnostics customers = row_count;
    end if;
  end if;
  for change in execute case tg_op
    when 'INSERT' then 'select region_id as id, count(*) as rooms from came group by 1 order by 1'
    when 'DELETE' then 'select region_id as id, -count(*) as rooms from went group by 1 order by 1'
    else 'select region_id as id, sum(rooms) as rooms
          from (select region_id, 1 as rooms from came union all select region_id, -1 from went) as moved
          group by 1 having sum(rooms) <> 0 order by 1'
    end
  loop
    update regions set room_count = room_count + change.rooms where id = change.id;
  end loop;
  -- After every 200 small changes, and after each that left many rows.
  if totals > 20 or months > 500 or customers > 500 or nextval('room_sums_writes') % 200 = 0 then
    perform fold_room_sums();
  end if;
  return null;
end $$;

-- Costs as much as there are rows to fold; of the months and the customers only those are written that have to be folded.
-- Skipped while another transaction does it, and in transactions for which a concurrent fold would be a conflict.
create function fold_room_sums() returns void language plpgsql as $$
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
  with scattered as (
    select region_id, state, product, edition, sales_channel, month from room_months
    group by 1, 2, 3, 4, 5, 6 having count(*) > 1
  ), folded as (
    delete from room_months using scattered
    where (room_months.region_id, room_months.state, room_months.product, room_months.edition,
           room_months.sales_channel, room_months.month)
        = (scattered.region_id, scattered.state, scattered.product, scattered.edition, scattered.sales_channel,
           scattered.month)
    returning room_months.*
  )
  insert into room_months
  select region_id, state, product, edition, sales_channel, month, sum(rooms)
  from folded group by 1, 2, 3, 4, 5, 6 having sum(rooms) <> 0;
  with folded as (
    delete from customer_totals where key in (select key from customer_totals where added_at is not null) returning *
  )
  insert into customer_totals
  select key, (array_agg(name order by added_at desc nulls last) filter (where name is not null))[1], sum(rooms),
    sum(designers), sum(viewers), sum(architects), sum(ep_bus), sum(ep_eam), sum(designers_sap),
    sum(architects_sap), sum(yukon_data_volume), sum(ai_credits), sum(yukon_viewer), sum(yukon_engineer),
    sum(yukon_analyst), sum(es_designer), sum(es_viewer), sum(es_viewer_pro), sum(es_admin),
    null
  from folded group by key having sum(rooms) <> 0;
end $$;

create trigger room_sums_insert after insert on rooms
  referencing new table as came for each statement execute function keep_room_sums();
create trigger room_sums_update after update on rooms
  referencing old table as went new table as came for each statement execute function keep_room_sums();
create trigger room_sums_delete after delete on rooms
  referencing old table as went for each statement execute function keep_room_sums();
create trigger room_sums_truncate after truncate on rooms for each statement execute function keep_room_sums();

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
  update regions set room_count = (select count(*) from rooms where region_id = regions.id)
    + (select count(*) from capacity_reservations where region_id = regions.id);
  delete from room_months;
  insert into room_months
  select region_id, state, product, edition, sales_channel, month_of(created_at), count(*)
  from rooms group by 1, 2, 3, 4, 5, 6;
  delete from customer_totals;
  insert into customer_totals
  select customer_key, max(company_name), count(*),
    sum(designers), sum(viewers), sum(architects), sum(ep_bus), sum(ep_eam), sum(designers_sap),
    sum(architects_sap), sum(yukon_data_volume), sum(ai_credits), sum(yukon_viewer), sum(yukon_engineer),
    sum(yukon_analyst), sum(es_designer), sum(es_viewer), sum(es_viewer_pro), sum(es_admin),
    null
  from rooms group by customer_key;
end $$;

-- Rooms whose record still has to be sent to their region. The record holds what only this database knows of the room.
-- After sending it, a worker deletes the row unless `changes` has grown since it was read.
create table room_records_due (
  room_id uuid primary key references rooms on update cascade on delete cascade,
  changes integer not null default 1,
  try_at timestamptz not null default now()
);
create index room_records_due_by_time on room_records_due (try_at);

create function room_record_becomes_due() returns trigger language plpgsql as $$
begin
  insert into room_records_due (room_id) values (new.id)
    on conflict (room_id) do update set changes = room_records_due.changes + 1;
  return null;
end $$;
create trigger room_record_due_update
  after update of region_id, sap_number, sap_number_last, sales_channel, salesman, salesman_email, priority, created_at
  on rooms for each row when (
    (old.region_id, old.sap_number, old.sap_number_last, old.sales_channel, old.salesman, old.salesman_email,
     old.priority, old.created_at)
    is distinct from
    (new.region_id, new.sap_number, new.sap_number_last, new.sales_channel, new.salesman, new.salesman_email,
     new.priority, new.created_at))
  execute function room_record_becomes_due();

-- What operators tell each other about a room. A room that is gone keeps its notes while it can come back.
create table room_notes (
  id uuid primary key,
  room_id uuid not null,
  text text not null,
  is_pinned boolean not null,
  -- Null: the account was deleted; `author` remains.
  author_id uuid references operators on delete set null,
  author text not null,
  created_at timestamptz not null default now(),
  -- Null: it was never changed.
  changed_by text,
  changed_at timestamptz
);
create index room_notes_room on room_notes (room_id);
create index room_notes_pinned on room_notes (room_id) where is_pinned;
create index room_notes_author on room_notes (author_id);

-- Which reminders of a room's last day were sent: one for each number of days before it. Another last day is reminded
-- of anew.
create table expiry_reminders (
  room_id uuid not null references rooms on delete cascade,
  expiration_date date not null,
  days integer not null,
  -- Null: a later reminder was due at the same time, and was sent instead.
  operation_id uuid,
  at timestamptz not null default now(),
  primary key (room_id, expiration_date, days)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Hints for live consoles.

-- Readers go by (tx, id) below the oldest running transaction, so that a late commit is never overtaken. Kept for ten
-- minutes.
create table events (
  id bigint generated always as identity,
  tx xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  payload jsonb not null,
  primary key (tx, id)
);
create index events_at on events (at);

create function notify() returns trigger language plpgsql as $$
begin
  perform pg_notify(tg_argv[0], tg_argv[1]);
  return null;
end $$;
-- For each row, because a statement that records changes of the rows it has changed may have changed none.
create trigger events_announced after insert on events
  for each row execute function notify('roomkeeper_events', '');

-- ---------------------------------------------------------------------------------------------------------------------
-- Operations. The record says who runs one, why it failed, and whether it waits for slots. An open operation that nobody
-- has claimed and that does not wait for slots is in the queue of the workers.

-- Processes that run operations. A row whose heartbeat stops is dead, and so is its process.
create table workers (
  id uuid primary key,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  -- Which process it is: one that starts on the same machine can see at once that it is dead.
  machine text,
  pid integer,
  pid_began text,
  -- The operations that the worker says it runs; one that it has claimed and does not run is taken from it.
  running uuid[] not null default '{}'
);

-- When recurring work of the cluster last began.
create table recurring_work (
  name text primary key,
  began_at timestamptz not null
);

create table operations (
  id uuid primary key,
  kind text not null,
  version integer not null,
  -- Null: the monitoring does not show it.
  process_type text,
  -- The operation that started this one, such as the run of a live migration.
  parent_id uuid,
  room_id uuid,
  room_name text not null,
  region_id integer,
  -- Parsed by the kind's schema; secrets inside are encrypted.
  input jsonb not null,
  state text not null check (state in ('waiting', 'running', 'cancelling', 'done', 'failed', 'cancelled')),
  -- The present step: its title, for people, and its id, which never changes.
  step text,
  step_id text,
  progress real not null default 0,
  -- Why it failed, for people; and sentence by sentence, as codes and their parameters, so that the console can write it
  -- in its language.
  error text,
  error_reasons jsonb,
  -- { reasons, failureCode }: why it failed. While it is open, it is being put back for that.
  failure jsonb,
  started_by text not null,
  request_id text,
  -- The span under which it was started, as a W3C traceparent: whichever worker runs it goes on with that trace.
  -- null: nothing was traced.
  traceparent text,
  cancel_requested boolean not null default false,
  -- One more each time the operation is started again by retry.
  attempt integer not null default 1,
  -- One more each time a worker begins or takes over: regions refuse calls with a smaller number.
  fence integer not null default 0,
  -- A worker whose row goes, for whatever reason, has lost all of its operations in that moment.
  worker_id uuid references workers on delete set null,
  claimed_at timestamptz,
  -- Waits for slots on regions: has rows in operation_slots that are not held.
  awaits_slots boolean not null default false,
  -- Begun before the database was restored from a dump: what it made may have been used since. See deploy/after-restore.sql.
  began_before_restore boolean not null default false,
  -- How many lines its log has, so that a line is one statement.
  log_lines integer not null default 0,
  -- Tells which operation of a room is its newest, also after the clock was set back.
  n bigint generated always as identity,
  created_at timestamptz not null default now(),
  -- When the present attempt was first taken by a worker, or was accepted while it waits in the queue.
  executed_at timestamptz not null default now(),
  ended_at timestamptz
);
-- A room has at most one operation at a time.
create unique index operations_one_per_room on operations (room_id)
  where state in ('waiting', 'running', 'cancelling') and room_id is not null;
-- Backups that are restored in a test, each by one operation at a time.
create unique index operations_one_verification on operations ((input ->> 'backupId'))
  where kind = 'backup.verify' and state in ('waiting', 'running', 'cancelling');
-- Which backup an open operation reads: it is not removed.
create index operations_reading_backup on operations ((coalesce(input ->> 'backupId', input -> 'backup' ->> 'id')))
  where state in ('waiting', 'running', 'cancelling');
create index operations_open on operations (created_at) where state in ('waiting', 'running', 'cancelling');
create index operations_unclaimed on operations (executed_at, id)
  where worker_id is null and not awaits_slots and state in ('waiting', 'running', 'cancelling');
create index operations_claimed on operations (worker_id) where worker_id is not null;
create index operations_room on operations (room_id, n desc);
create index operations_parent on operations (parent_id) where parent_id is not null;
create index operations_ended on operations (ended_at) where ended_at is not null;
-- For the overview: what ended on a day, without the operations of policies, which may be a million.
create index operations_of_day on operations (ended_at) include (kind, state)
  where ended_at is not null and kind not in ('room.backup-scheduled', 'room.backup-scheduled-d2o', 'backup.verify');
-- For purges: operations about a room that keep no other operation waiting.
create index operations_about_room on operations ((input ->> 'roomId'))
  where room_id is null and input ? 'roomId';
-- For purges: restores from a stored backup, which may be of another room.
create index operations_restoring_backup on operations ((input ->> 'backupRoomId'))
  where kind = 'room.restore' and input ? 'backupRoomId';
-- For housekeeping: those whose secrets are forgotten after a day.
create index operations_with_secrets on operations (ended_at) where state = 'failed' and input ? 'sealed';
-- The operations of policies that went well: those that were retried (their backup is done after all), and the others,
-- which are removed after a few days.
create index operations_of_policies on operations (attempt, ended_at)
  where state = 'done' and started_by = 'system'
    and kind in ('room.backup-scheduled', 'room.backup-scheduled-d2o', 'backup.verify');
-- The monitoring: what ran when, for which room, sorted and searched among a million entries.
create index operations_by_time on operations (executed_at, id) where process_type is not null;
create index operations_by_name on operations (room_name, executed_at, id) where process_type is not null;
create index operations_by_process on operations (process_type, executed_at, id) where process_type is not null;
create index operations_by_region on operations (region_id, executed_at, id) where process_type is not null;
create index operations_by_state on operations (state, executed_at, id) where process_type is not null;
create index operations_name_search on operations using gin (room_name gin_trgm_ops) where process_type is not null;

create table operation_steps (
  operation_id uuid not null references operations on delete cascade,
  position integer not null,
  -- Its title, for people, and its id, which never changes.
  name text not null,
  step_id text not null,
  state text not null check (state in ('open', 'running', 'done', 'failed', 'undone')),
  output jsonb,
  -- A step with an entry of its own in the monitoring, such as the backup inside a live migration. The entry names its
  -- room, so that it is found and sorted without a look at its operation.
  process_type text,
  region_id integer,
  room_name text,
  -- Failures that may pass, in an unbroken series: for how long the step is tried again counts from the first of them,
  -- also when another worker has taken over. A step that gets further than before breaks the series.
  failing_since timestamptz,
  -- The series is one of its undo.
  failing_undo boolean not null default false,
  -- Why it fails for the time being, and when it is tried again. What they say counts only while the step goes on failing.
  failing_reasons jsonb,
  next_try_at timestamptz,
  -- How many of them there are, when the operation fails because of them (null: never), and whether all is undone then.
  failing_tries integer not null default 0,
  gives_up_at timestamptz,
  ends_as_before boolean not null default false,
  -- How much of the step was done at most before the last of them.
  furthest double precision not null default 0,
  -- How the step had ended before it was undone: `done`, `failed`, or `running` if it was interrupted.
  state_before_undo text,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (operation_id, position)
);
create index operation_steps_by_time on operation_steps (started_at, operation_id, position)
  where process_type is not null and started_at is not null;
create index operation_steps_by_name on operation_steps (room_name, started_at, operation_id, position)
  where process_type is not null and started_at is not null;
create index operation_steps_by_process on operation_steps (process_type, started_at, operation_id, position)
  where process_type is not null and started_at is not null;
create index operation_steps_by_region on operation_steps (region_id, started_at, operation_id, position)
  where process_type is not null and started_at is not null;
-- The state of a step's entry is told in the words of operations.
create index operation_steps_by_state on operation_steps
  ((case state when 'undone' then 'cancelled' else state end), started_at, operation_id, position)
  where process_type is not null and started_at is not null;
create index operation_steps_name_search on operation_steps using gin (room_name gin_trgm_ops)
  where process_type is not null and started_at is not null;

create table operation_log (
  operation_id uuid not null references operations on delete cascade,
  n integer not null,
  -- The step whose line it is; null: the operation's.
  position integer,
  at timestamptz not null default now(),
  level text not null check (level in ('info', 'warning', 'error')),
  text text not null,
  -- What the text says, as codes and their parameters. Null: the text is all there is.
  reasons jsonb,
  primary key (operation_id, n)
);
create index operation_log_of_step on operation_log (operation_id, position, n) where position is not null;

-- The same Idempotency-Key of the same operator on the same route is the same request.
create table idempotency_keys (
  operator_id uuid not null,
  route text not null,
  key text not null,
  body_hash bytea not null,
  -- Or the id of the note that was added.
  operation_id uuid not null,
  at timestamptz not null default steady_now(),
  primary key (operator_id, route, key)
);
create index idempotency_keys_at on idempotency_keys (at);

-- Slots of regions (REGION_CONCURRENCY): those that operations hold, and those that operations in the queue wait for.
-- An operation takes all of its slots at once, so two that need the same regions never wait for each other.
create sequence operation_slots_queue_number;
create table operation_slots (
  operation_id uuid not null references operations on delete cascade,
  region_id integer not null,
  -- The same for all slots of an operation.
  queue_number bigint not null,
  held boolean not null default false,
  -- Operations that many rooms wait for, such as those of a bulk or of a backup policy: they stand behind those of
  -- operators in the line for a region's slots, and never hold all of them.
  background boolean not null default false,
  primary key (operation_id, region_id)
);
create index operation_slots_by_region on operation_slots (region_id, held, queue_number);
create index operation_slots_queue on operation_slots (region_id, background, queue_number) where not held;
create index operation_slots_waiting on operation_slots (queue_number) where not held;

-- Workers listen on roomkeeper_work. They are called whenever an operation may be claimed, whatever made it so; the
-- statements that free slots or cancel an operation notify them on their own.
create trigger operations_call_workers after insert or update on operations for each row
  when (new.worker_id is null and not new.awaits_slots and new.state in ('waiting', 'running', 'cancelling'))
  execute function notify('roomkeeper_work', 'operations');

-- How operations ended, for the audit trail, whose entries are kept longer than operations are.
create table operation_outcomes (
  operation_id uuid primary key,
  state text not null,
  error text,
  error_reasons jsonb
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Operations over many rooms: live migrations and bulks.

-- Live migrations' configurations.
create table live_migrations (
  id integer generated by default as identity primary key,
  source_region_id integer not null references regions,
  target_region_id integer not null references regions,
  state text not null default 'STOPPED'
    check (state in ('STOPPED', 'RUNNING', 'FAILED', 'COMPLETED', 'PARTIALLY_COMPLETED')),
  routing boolean not null default false,
  parallel boolean not null default false,
  -- How often its settings were changed, so that nobody overwrites what they have not seen.
  version integer not null default 1,
  -- A run may still be touching rooms although the state says otherwise.
  warning boolean not null default false,
  -- The newest run: its operation, and when it began.
  run_id uuid,
  started_at timestamptz,
  created_at timestamptz not null default now(),
  check (source_region_id <> target_region_id)
);
create index live_migrations_source on live_migrations (source_region_id);
create index live_migrations_target on live_migrations (target_region_id);
-- What operators see under State; each outlives its operation, so it keeps the log.
create table live_migration_states (
  id integer generated by default as identity primary key,
  migration_id integer not null references live_migrations on delete cascade,
  room_id uuid not null,
  room_name text not null,
  -- Where the room was to go: a configuration may be changed later, and what is left behind is in the region of then.
  source_region_id integer,
  target_region_id integer,
  outcome text not null check (outcome in ('migrated', 'postponed', 'failed')),
  -- What it left in the target has been removed since, by force delete.
  copy_removed boolean not null default false,
  operation_id uuid,
  at timestamptz not null default now(),
  -- Text, and its lines with the codes of what they say. Null: there are too many.
  log text not null default '',
  lines jsonb,
  error text not null default '',
  error_reasons jsonb
);
create index live_migration_states_migration on live_migration_states (migration_id, id desc);
-- Each move looks for the entry of its operation, a purge for those of its room.
create index live_migration_states_operation on live_migration_states (operation_id);
create index live_migration_states_room on live_migration_states (room_id);

-- One action for many rooms. Its rooms are operation_items of the operation that has the bulk's id.
create table bulks (
  id uuid primary key,
  action text not null,
  parameters jsonb not null,
  total integer not null,
  state text not null default 'WAITING'
    check (state in ('WAITING', 'RUNNING', 'DONE', 'PARTIALLY_DONE', 'FAILED', 'CANCELLED')),
  started_by text not null,
  -- Whose role decides what it may do with each room, and in whose name: who started it, or who retried it last.
  acts_for text not null,
  role text not null,
  -- The access that stopping and retrying it needs: that of its action for all of its rooms.
  access text not null check (access in ('edit', 'admin')),
  started_at timestamptz not null default now(),
  ended_at timestamptz
);
create index bulks_started on bulks (started_at desc, id);

-- The rooms that preflights have found lately, so that a start can say which of them have come and gone since.
create table bulk_selections (
  -- SHA-256 of the rooms' ids in their order.
  digest text primary key,
  -- The rooms' names by their ids.
  rooms jsonb not null,
  at timestamptz not null default steady_now()
);

-- The rooms that a parent operation works through, in this order and one operation for each. Kept while the parent is.
create table operation_items (
  parent_id uuid not null,
  position integer not null,
  -- Of the parent's live migration.
  migration_id integer references live_migrations on delete cascade,
  room_id uuid not null,
  room_name text not null,
  -- The region whose operations are counted for it; 0: those of all regions together.
  region_id integer not null default 0,
  state text not null default 'waiting'
    check (state in ('waiting', 'running', 'done', 'skipped', 'failed', 'cancelled')),
  -- The operation for the room.
  operation_id uuid,
  -- Why it was skipped or failed; and as codes and their parameters.
  reason text,
  reasons jsonb,
  -- Of its backup, once it has reached the target.
  bytes bigint,
  bytes_at timestamptz,
  ended_at timestamptz,
  primary key (parent_id, room_id)
);
-- The rooms of a parent by state, in their order: the next one, those under way, those shown.
create index operation_items_states on operation_items (parent_id, state, region_id, position);
create index operation_items_open on operation_items (migration_id) where state in ('waiting', 'running');
-- What arrived and what ended lately, for any parent.
create index operation_items_bytes_at on operation_items (bytes_at) include (parent_id, bytes)
  where bytes_at is not null;
create index operation_items_ended_at on operation_items (ended_at) include (parent_id)
  where ended_at is not null;
-- For purges: the rows of a room that still have a reason.
create index operation_items_reasons on operation_items (room_id) where reason is not null;

-- How many rooms of a parent are in each state, and what they carried, so that nobody counts 100,000 rooms every second.
-- Written by triggers as additions only, so that rooms that end side by side never wait for each other here; the truth
-- is the sum over all rows of a parent and state. Now and then the rows are folded into one for each.
create table operation_item_counts (
  parent_id uuid not null,
  state text not null,
  rooms bigint not null,
  bytes bigint not null
);
create index operation_item_counts_parent on operation_item_counts (parent_id);
create sequence operation_item_counts_writes;

create function keep_operation_item_counts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into operation_item_counts
    select parent_id, state, count(*), coalesce(sum(bytes), 0) from came group by parent_id, state;
  elsif tg_op = 'DELETE' then
    insert into operation_item_counts
    select parent_id, state, -count(*), -coalesce(sum(bytes), 0) from went group by parent_id, state;
  else
    insert into operation_item_counts
    select parent_id, state, sum(rooms), sum(bytes)
    from (
      select parent_id, state, 1 as rooms, coalesce(bytes, 0) as bytes from came
      union all select parent_id, state, -1, -coalesce(bytes, 0) from went
    ) as changes
    group by parent_id, state having sum(rooms) <> 0 or sum(bytes) <> 0;
  end if;
  if nextval('operation_item_counts_writes') % 200 = 0 then
    perform fold_operation_item_counts();
  end if;
  return null;
end $$;

-- Skipped while another transaction does it, and in transactions for which a concurrent fold would be a conflict.
create function fold_operation_item_counts() returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' or not pg_try_advisory_xact_lock(7204014) then
    return;
  end if;
  with folded as (delete from operation_item_counts returning *)
  insert into operation_item_counts
  select parent_id, state, sum(rooms), sum(bytes) from folded group by parent_id, state
  having sum(rooms) <> 0 or sum(bytes) <> 0;
end $$;

create trigger operation_item_counts_insert after insert on operation_items
  referencing new table as came for each statement execute function keep_operation_item_counts();
create trigger operation_item_counts_update after update on operation_items
  referencing old table as went new table as came for each statement execute function keep_operation_item_counts();
create trigger operation_item_counts_delete after delete on operation_items
  referencing old table as went for each statement execute function keep_operation_item_counts();

-- ---------------------------------------------------------------------------------------------------------------------
-- Uploads and backups: what lies in the backup store, and whose it is.

-- At most one row; without it no file was ever stored. Which place is the store: its mark, a file, has this id, too.
create table backup_store (
  is_set boolean primary key default true check (is_set),
  id uuid not null,
  -- Of a place that is about to become the store.
  next_id uuid,
  -- False while the store is marked for the first time.
  is_marked boolean not null
);

-- Files that operators sent, until the operation that uses them is done.
create table uploads (
  -- The temporary name.
  name text primary key,
  operator_id uuid not null,
  kind text not null check (kind in ('backup', 'database')),
  store_key text not null,
  -- As the operator's computer calls it.
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  -- What a backup holds, and its whole manifest; null for a database export.
  contents jsonb,
  manifest jsonb,
  created_at timestamptz not null default now(),
  -- When an operation took it; nothing else can take it any more.
  taken_at timestamptz,
  -- From then on it counts as gone; null while an operation uses it.
  delete_after timestamptz
);
create index uploads_delete_after on uploads (delete_after) where delete_after is not null;

-- They belong to a room's id, not to its name, and outlive the room.
create table room_backups (
  id uuid primary key,
  room_id uuid not null,
  room_name text not null,
  kind text not null check (kind in ('classic', 'd2o')),
  -- classic: the key in the backup store; d2o: the s3:// address.
  location text not null,
  size bigint not null,
  sha256 text not null,
  created_at timestamptz not null default steady_now(),
  -- When it was last read back and found whole.
  read_back_at timestamptz,
  -- When it was last restored in a test.
  restored_at timestamptz,
  -- When the doctor last read the content and compared it with its digest, also of altered files: the oldest is read
  -- first.
  checked_at timestamptz,
  -- Set when the room is deleted.
  expires_at timestamptz
);
create index room_backups_room on room_backups (room_id, created_at desc);
create index room_backups_expires_at on room_backups (expires_at) where expires_at is not null;
-- For restores from a location that an operator names.
create index room_backups_d2o on room_backups (location) where kind = 'd2o';
create index room_backups_checked on room_backups (checked_at nulls first, id);

create table database_backups (
  id uuid primary key,
  room_id uuid not null,
  database_name text not null,
  store_key text not null,
  size bigint not null,
  sha256 text not null,
  -- Of the .adb; encrypted with SECRET_KEY.
  sealed_password text not null,
  created_at timestamptz not null default steady_now(),
  -- When its content was last found to be what the region made; null: it never was, or the last reading came to something
  -- else, or to no end. Only one that is proven stands for those before it.
  proved_at timestamptz,
  checked_at timestamptz,
  expires_at timestamptz
);
-- Names that differ only in case are one name.
create index database_backups_newest on database_backups (room_id, lower(database_name), created_at desc);
create index database_backups_expires_at on database_backups (expires_at) where expires_at is not null;
create index database_backups_checked on database_backups (checked_at nulls first, id);

-- Who reads or removes a backup, other than the operations that read one. Its process renews it; over, it means nothing.
create table backup_uses (
  id uuid primary key,
  -- Of either kind.
  backup_id uuid not null,
  kind text not null check (kind in ('download', 'check', 'removal')),
  used_by text not null,
  began_at timestamptz not null default now(),
  held_until timestamptz not null
);
create index backup_uses_backup on backup_uses (backup_id);

-- Links for one download. Only the SHA-256 of a ticket is kept.
create table backup_tickets (
  token_hash bytea primary key,
  backup_id uuid not null references room_backups on delete cascade,
  session_hash bytea not null,
  expires_at timestamptz not null
);
create index backup_tickets_backup on backup_tickets (backup_id);

-- ---------------------------------------------------------------------------------------------------------------------
-- Rooms that are gone.

-- Project rooms that were deleted and can come back from their last backup.
create table deleted_rooms (
  id uuid primary key default gen_random_uuid(),
  room_id uuid not null unique,
  name text not null,
  product text not null,
  edition text not null,
  customer_email text not null,
  company_name text not null,
  -- The row of the room as it was. Its state is that of before the deletion.
  columns jsonb not null,
  -- The last backup, from which the room comes back while that is there and good; null: there is none (any more).
  backup_id uuid references room_backups on delete set null,
  deleted_at timestamptz not null default steady_now(),
  deleted_by text not null,
  kept_until timestamptz not null,
  -- Of the operation that brings it back or removes it for good.
  operation_id uuid,
  -- Since when a room can only be purged, as some of its backups may be gone; null: it can come back.
  purge_begun_at timestamptz,
  -- The files that its purges have removed, or were about to.
  purged_files jsonb not null default '[]',
  -- Who had a purge that failed retried; null: it goes on for who began it.
  purge_retried_by text
);
create index deleted_rooms_newest on deleted_rooms (deleted_at desc, id);
create index deleted_rooms_kept_until on deleted_rooms (kept_until);
create index deleted_rooms_backup on deleted_rooms (backup_id) where backup_id is not null;

-- Of a deleted room that was purged nothing is left but a certificate.
create table purged_rooms (
  -- The one it had among the deleted rooms.
  id uuid primary key,
  room_id uuid not null,
  name text not null,
  company_name text not null,
  -- What the certificate says, except where the audit trail vouches for it.
  statement jsonb not null,
  -- Hexadecimal, of the statement as canonical JSON.
  sha256 text not null,
  -- The entry in the audit trail that holds the SHA-256.
  audit_id bigint not null,
  purged_at timestamptz not null,
  purged_by text not null
);
create index purged_rooms_newest on purged_rooms (purged_at desc, id);

-- Rooms that were removed from here together with their region and left backups, labels or notes: whose they were. These
-- stay until the room is adopted again; backups can be removed by hand.
create table removed_rooms (
  room_id uuid primary key,
  room_name text not null,
  region_name text not null,
  labels text[] not null default '{}',
  removed_at timestamptz not null default now()
);
create index removed_rooms_newest on removed_rooms (removed_at desc, room_id);

-- Removes the notes of rooms that cannot come back: they are in none of rooms, deleted_rooms and removed_rooms.
create function remove_notes_of_gone_rooms() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'rooms' then
    delete from room_notes using went
     where room_notes.room_id = went.id
       and not exists (select from deleted_rooms d where d.room_id = went.id)
       and not exists (select from removed_rooms r where r.room_id = went.id);
  else
    delete from room_notes using went
     where room_notes.room_id = went.room_id
       and not exists (select from rooms where rooms.id = went.room_id)
       and not exists (select from deleted_rooms d where d.room_id = went.room_id)
       and not exists (select from removed_rooms r where r.room_id = went.room_id);
  end if;
  return null;
end $$;
create trigger remove_notes_of_gone_rooms after delete on rooms
  referencing old table as went for each statement execute function remove_notes_of_gone_rooms();
create trigger remove_notes_of_gone_rooms after delete on deleted_rooms
  referencing old table as went for each statement execute function remove_notes_of_gone_rooms();
create trigger remove_notes_of_gone_rooms after delete on removed_rooms
  referencing old table as went for each statement execute function remove_notes_of_gone_rooms();

-- ---------------------------------------------------------------------------------------------------------------------
-- Backup policies: which rooms are backed up automatically, when, and what is kept.

create table backup_policies (
  id uuid primary key,
  name text not null,
  is_on boolean not null,
  -- In the form of the API, as an operator has sent it.
  rooms jsonb not null,
  kind text not null check (kind in ('classic', 'd2o')),
  schedule jsonb not null,
  keep jsonb not null,
  -- 0: none is verified.
  verify_every integer not null,
  version integer not null default 1,
  -- What is due until then has its rows in scheduled_backups; null: the scheduler has not seen the policy yet.
  scheduled_until timestamptz,
  -- Of its backups, since it exists.
  failed bigint not null default 0,
  -- What waits and was due until then is not begun any more, but removed; null: nothing is.
  discard_until timestamptz,
  -- What it keeps has changed, so retention looks again at its rooms with higher ids; null: at none.
  retention_cursor uuid,
  -- From then on it is hidden, and housekeeping removes it, after its rows in scheduled_backups.
  deleted_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index backup_policies_name on backup_policies (lower(name)) where deleted_at is null;

-- When in a window a room is due, as a part of 2^32 of it.
create function spread_offset(id uuid) returns bigint language sql immutable parallel safe as $$
  select ('x' || left(md5(id::text), 8))::bit(32)::bigint
$$;
-- Which rooms are due in a part of a window.
create index rooms_by_spread_offset on rooms (spread_offset(id));

-- One row for each room and time, however many workers look. A backup has the id of its operation.
create table scheduled_backups (
  policy_id uuid not null references backup_policies on delete cascade,
  room_id uuid not null,
  -- Of the room, when it became due or was last tried.
  region_id integer not null,
  due_at timestamptz not null,
  -- A backup of another policy that has begun since then counts for this one.
  counts_from timestamptz not null,
  -- Until when a busy room is tried again.
  try_until timestamptz not null,
  -- missed: the room was busy, or not running, all the time.
  state text not null default 'waiting' check (state in ('waiting', 'started', 'done', 'failed', 'missed')),
  operation_id uuid,
  started_at timestamptz,
  tried_at timestamptz,
  -- Whether retention has been applied since this backup was made.
  retention_applied boolean not null default false,
  primary key (policy_id, room_id, due_at)
);
create index scheduled_backups_next on scheduled_backups (region_id, tried_at nulls first, due_at) where state = 'waiting';
create index scheduled_backups_late on scheduled_backups (policy_id, try_until) where state = 'waiting';
create index scheduled_backups_started on scheduled_backups (operation_id) where state = 'started';
create index scheduled_backups_retention_due on scheduled_backups (room_id) where state = 'done' and not retention_applied;
create index scheduled_backups_room on scheduled_backups (room_id, started_at);
-- When the last one has begun.
create index scheduled_backups_begun on scheduled_backups (policy_id, started_at) where started_at is not null;
-- A failed one whose operation is retried is done after all.
create index scheduled_backups_failed on scheduled_backups (operation_id) where state = 'failed';
-- Those that are over are removed after a while.
create index scheduled_backups_over on scheduled_backups (due_at, policy_id, room_id)
  where state in ('done', 'failed', 'missed');

-- How many scheduled backups of a policy have ended how, by the day (UTC) on which they were due.
create table scheduled_backup_days (
  policy_id uuid not null references backup_policies on delete cascade,
  day date not null,
  done integer not null,
  failed integer not null,
  missed integer not null,
  primary key (policy_id, day)
);

-- How many backups of a room its policy has made since it had one verified. Rows of policies and rooms that are gone are
-- removed by housekeeping.
create table verification_counts (
  policy_id uuid not null,
  room_id uuid not null,
  -- Of the room, at its last backup.
  region_id integer not null,
  backups integer not null,
  -- Whether it is time to verify one.
  is_due boolean not null,
  primary key (policy_id, room_id)
);
create index verification_counts_due on verification_counts (region_id) where is_due;

-- What waits for a backup or a test of a room waits for a slot in the room's region, and the room may move meanwhile.
create function follow_moved_room() returns trigger language plpgsql as $$
begin
  update scheduled_backups set region_id = new.region_id where room_id = new.id and state = 'waiting';
  update verification_counts set region_id = new.region_id
   where policy_id = any(array(select id from backup_policies)) and room_id = new.id;
  return null;
end $$;
create trigger follow_moved_room after update of region_id on rooms
  for each row when (old.region_id is distinct from new.region_id) execute function follow_moved_room();

-- ---------------------------------------------------------------------------------------------------------------------
-- What administrators set for everybody, and what customers may ask without signing in.

-- At most one row; without it nothing was ever set.
create table cloud_configuration (
  is_set boolean primary key default true check (is_set),
  youtube_identifier text not null
);

-- At most one row; without it maintenance mode is off.
create table maintenance (
  is_set boolean primary key default true check (is_set),
  is_on boolean not null,
  message text not null
);

create table notifications (
  id integer generated by default as identity primary key,
  -- HTML, cleaned.
  message text not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  is_popup boolean not null,
  is_deactivated boolean not null,
  created_at timestamptz not null default now(),
  check (start_at < end_at)
);

-- When a caller made calls that a limit counts, such as 10 a minute over all processes. `hits` has no more times than the
-- limit allows.
create table rate_limit_hits (
  limit_name text not null,
  caller text not null,
  hits timestamptz[] not null,
  was_refused boolean not null default false,
  last_at timestamptz not null default now(),
  primary key (limit_name, caller)
);
create index rate_limit_hits_last_at on rate_limit_hits (last_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- What needs attention, as consoles and webhooks were told last. The facts themselves are found anew for each look.

create table attention (
  kind text not null,
  -- Which of the kind: the id of a region, the name of a process.
  subject text not null,
  severity text not null check (severity in ('error', 'warning')),
  since timestamptz not null,
  count integer,
  params jsonb not null,
  -- In English.
  text text not null,
  primary key (kind, subject)
);

-- What only a process itself knows: that its clock is off, that it does not see the backup store. Reported again and again
-- while it is so.
create table process_faults (
  process text not null,
  fault text not null check (fault in ('clock-off', 'store-missing')),
  severity text not null check (severity in ('error', 'warning')),
  params jsonb not null,
  since timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (process, fault)
);

-- How many rooms each region had at the end of each day (UTC), for the trend of its capacity.
create table region_days (
  region_id integer not null references regions on delete cascade,
  day date not null,
  rooms integer not null,
  primary key (region_id, day)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- The doctor: whether the console, its regions and its stores agree. What it found stays until a later run that looked at
-- the same place does not find it any more.

create table doctor_runs (
  id uuid primary key,
  -- The operation that looks; null: `npm run doctor`.
  operation_id uuid,
  started_by text not null,
  state text not null default 'running' check (state in ('running', 'done', 'failed', 'cancelled')),
  started_at timestamptz not null default now(),
  -- A run without an operation that does not beat any more was left by its process.
  heartbeat_at timestamptz not null default now(),
  ended_at timestamptz,
  -- Where it is, so that a process that goes on with it does not begin anew.
  progress jsonb not null default '{}'
);
-- One at a time.
create unique index doctor_runs_open on doctor_runs ((true)) where ended_at is null;
create index doctor_runs_started on doctor_runs (started_at desc);

create table doctor_findings (
  id uuid primary key default gen_random_uuid(),
  -- What makes it the same finding in the next run.
  key text not null,
  kind text not null,
  severity text not null check (severity in ('error', 'warning', 'info')),
  -- The part of a run that finds it.
  section text not null,
  room_id uuid,
  room_name text,
  -- Where it is.
  region_id integer,
  -- Which regions have to be asked before it can be said to be gone.
  region_ids integer[] not null default '{}',
  -- Of what is no room: a backup, an operation.
  subject text,
  -- For its text: names and numbers, never a secret.
  facts jsonb not null default '{}',
  -- Those facts that are sentences, by their codes and parameters, so that the console can write them in its language.
  reasons jsonb not null default '{}',
  found_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  run_id uuid not null,
  closed_at timestamptz,
  -- The newest repair.
  operation_id uuid
);
create unique index doctor_findings_open on doctor_findings (key) where closed_at is null;
create index doctor_findings_shown on doctor_findings (found_at, id) where closed_at is null;
create index doctor_findings_room on doctor_findings (room_name) where closed_at is null;
create index doctor_findings_closed on doctor_findings (closed_at) where closed_at is not null;
-- Which backups are known to be bad is looked up for each backup that is recorded.
create index doctor_findings_subject on doctor_findings (subject) where closed_at is null and subject is not null;

-- ---------------------------------------------------------------------------------------------------------------------
-- The newest backup of each room, as the list shows it, sorts and filters by it (rooms.last_backup_at).

-- Of both kinds; one that the doctor knows to be missing or altered does not count.
create function last_backup_of(room uuid, out at timestamptz, out restored_at timestamptz) language sql stable as $$
  select coalesce(newest.created_at, '0001-01-01 00:00:00+00'), newest.restored_at from (select) as one left join lateral (
    select b.created_at, b.restored_at from room_backups b
     where b.room_id = room and not exists (
       select from doctor_findings f
        where f.kind in ('backup-missing', 'backup-altered') and f.subject = b.id::text and f.closed_at is null
     )
     order by b.created_at desc limit 1
  ) as newest on true
$$;

-- For the room of a backup, or of a finding about one. Locks the room before it looks: of two backups recorded at the same
-- time, the second sees the first.
create function keep_last_backup() returns trigger language plpgsql as $$
declare
  room uuid;
begin
  if tg_table_name = 'room_backups' then
    room := coalesce(new.room_id, old.room_id);
  elsif coalesce(new.kind, old.kind) in ('backup-missing', 'backup-altered')
        -- A closed finding counts for nothing, and many are removed at once.
        and not (tg_op = 'DELETE' and old.closed_at is not null) then
    select room_id into room from room_backups where id = coalesce(new.subject, old.subject)::uuid;
  end if;
  perform from rooms where id = room for no key update;
  if found then
    update rooms set last_backup_at = newest.at, last_backup_restored_at = newest.restored_at
      from last_backup_of(room) as newest
     where id = room
       and (last_backup_at <> newest.at or last_backup_restored_at is distinct from newest.restored_at);
  end if;
  return null;
end $$;
create trigger last_backup after insert or delete or update of created_at, restored_at on room_backups
  for each row execute function keep_last_backup();
create trigger last_backup after insert or delete or update of closed_at on doctor_findings
  for each row execute function keep_last_backup();

-- What a new room needs: its record is sent to its region, and one that comes back, or is adopted, may have backups already.
create function follow_new_rooms() returns trigger language plpgsql as $$
begin
  insert into room_records_due (room_id) select id from came;
  update rooms set last_backup_at = newest.at, last_backup_restored_at = newest.restored_at
    from came cross join lateral last_backup_of(came.id) as newest
   where rooms.id = came.id and exists (select from room_backups where room_id = came.id);
  return null;
end $$;
create trigger follow_new_rooms after insert on rooms
  referencing new table as came for each statement execute function follow_new_rooms();

-- ---------------------------------------------------------------------------------------------------------------------
-- Webhooks: addresses of other programs that are told what happens, and what they were or will be told. E-mails go the
-- same way: one row, hidden from the list of webhooks, is the mail server, and they are its deliveries.
create table webhooks (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  url text not null,
  events text[] not null,
  is_on boolean not null,
  version integer not null default 1,
  -- Sealed.
  secret text not null,
  -- Those before it that still sign along, newest first: a list of { "secret": sealed, "until": time }.
  former_secrets jsonb not null default '[]',
  -- When a worker last took one of its deliveries. Monitoring uses it to tell deliveries that no worker takes from
  -- those that wait behind a slow one.
  last_taken_at timestamptz,
  last_delivered_at timestamptz,
  -- Since when every try has failed.
  failing_since timestamptz,
  -- When it was switched off by itself.
  switched_off_at timestamptz,
  -- From then on it is hidden and off, and housekeeping removes it after its deliveries.
  deleted_at timestamptz,
  -- The operators who created it, and who last changed it or its secret.
  created_at timestamptz not null default now(),
  created_by text not null,
  changed_at timestamptz not null default now(),
  changed_by text not null
);
create unique index webhooks_name on webhooks (lower(name)) where deleted_at is null;

insert into webhooks (id, name, url, events, is_on, secret, created_by, changed_by)
values ('00000000-0000-4000-8000-00000000e3a1', '', '', '{}', true, '', 'system', 'system');

-- One row for each event and each webhook that listened when it happened, and one for each e-mail, written in the
-- transaction of the event.
create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  -- The order of the events with one ordering key.
  n bigint not null generated always as identity,
  webhook_id uuid not null references webhooks,
  -- The header `webhook-id`, the same for all webhooks; of an e-mail its Message-ID.
  message_id text not null,
  type text not null,
  -- Which operation sends this e-mail: its log says how that went.
  operation_id uuid,
  -- What is delivered one after another: the events of a room, of a region; the e-mails about a room to one mailbox.
  ordering_key text not null,
  -- Of a room that may be gone: when it is purged, these go with it.
  room_id uuid,
  room_name text,
  at timestamptz not null,
  -- The body, byte for byte as it is signed; of an e-mail address and text, as JSON.
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'ended')),
  tries integer not null default 0,
  last_try_at timestamptz,
  -- When it is next tried; while claimed, when the claim ends. Null: not tried any more by itself.
  next_try_at timestamptz default now(),
  -- The claim of the process that tries it now.
  claim uuid,
  -- When it was claimed to be sent by hand; null: a worker has claimed it last.
  by_hand_at timestamptz,
  -- Of the last try. An error of the connection to the mail server has a body without status.
  answer_status integer,
  answer_body text,
  answer_milliseconds integer,
  failure text check (failure in ('unreachable', 'address-forbidden', 'certificate', 'timed-out', 'redirected',
    'refused', 'answer-too-long', 'secret-unreadable', 'sign-in-refused', 'no-mailbox', 'not-written', 'unanswered', 'not-needed')),
  -- An e-mail was unanswered in one of its tries.
  may_have_arrived boolean not null default false,
  check ((state = 'waiting') = (next_try_at is not null))
);
create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, n);
create index webhook_deliveries_by_state on webhook_deliveries (webhook_id, state, n);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_try_at) where state = 'waiting';
create index webhook_deliveries_in_order on webhook_deliveries (webhook_id, ordering_key, n) where state = 'waiting';
create index webhook_deliveries_claimed on webhook_deliveries (webhook_id) where claim is not null;
create index webhook_deliveries_of_room on webhook_deliveries (room_id) where room_id is not null;
-- A step that is repeated writes its e-mails once.
create unique index webhook_deliveries_of_operation on webhook_deliveries (operation_id, message_id)
  where operation_id is not null;
create index webhook_deliveries_of_names on webhook_deliveries (webhook_id)
  where type = 'mail.room-names' and state <> 'waiting';
-- For what needs attention: e-mails that were given up.
create index webhook_deliveries_given_up on webhook_deliveries (webhook_id, last_try_at)
  where state = 'ended' and failure is distinct from 'not-needed';
create index webhook_deliveries_old on webhook_deliveries (at) where state <> 'waiting';

-- ---------------------------------------------------------------------------------------------------------------------
-- The files of the console's build, with hashed names, so that every process also serves those of other builds: a page
-- that was opened before an upgrade still asks for its own, and while servers are replaced, one may be asked for those of
-- another. Each is kept for a week after the last process that has it on disk.
create table console_assets (
  name text primary key,
  -- Its content, gzipped.
  gzipped bytea not null,
  needed_until timestamptz not null
);
-- The content is compressed already.
alter table console_assets alter column gzipped set storage external;
