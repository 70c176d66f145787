-- How often the settings of a region or of a live migration's configuration were changed, so that nobody overwrites what
-- they have not seen. Counted here, because processes of the release before change them too.
alter table regions add column version integer not null default 1;
alter table live_migrations add column version integer not null default 1;

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
create trigger live_migrations_version
  before update of source_region_id, target_region_id, routing, parallel on live_migrations
  for each row when (
    (old.source_region_id, old.target_region_id, old.routing, old.parallel)
    is distinct from (new.source_region_id, new.target_region_id, new.routing, new.parallel))
  execute function count_version();
