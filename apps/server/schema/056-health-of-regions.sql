-- What the newest call to a region has shown: the version of its software, and whether it answers. Null: no call has told
-- yet. Processes of the release before neither read nor write it.
alter table regions
  add column software_version text,
  add column health text constraint regions_health check (health in ('answers', 'unreachable', 'refuses-login')),
  -- Since when it has this health.
  add column health_since timestamptz;
