-- The schema after all schema changes, for reading only: npm run schema:dump -w @roomkeeper/server writes it.

create type edition as enum ('basic', 'advanced', 'enterprise', 'advanced-base-extension', 'enterprise-shared');

create type product as enum ('ARIS', 'MINING', 'ENTERPRISE');

create type room_state as enum ('DEFAULT', 'MARKED_FOR_DELETION', 'ERROR', 'SUSPENDED', 'IN_PROGRESS');

create type sales_channel as enum ('direct-sales', 'online-shop');

create type sub_mining_type as enum ('NONE', 'MINING_BASIC', 'MINING_ENTERPRISE');

create table api_tokens (
  id uuid not null default gen_random_uuid(),
  operator_id uuid not null,
  name text not null,
  role text not null,
  token_hash bytea not null,
  networks text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  last_used_from text,
  refused_times bigint not null default 0,
  refused_at timestamp with time zone,
  refused_from text,
  refused_why text,
  constraint api_tokens_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE,
  constraint api_tokens_pkey PRIMARY KEY (id),
  constraint api_tokens_refused_why_check CHECK ((refused_why = ANY (ARRAY['expired'::text, 'revoked'::text, 'network'::text]))),
  constraint api_tokens_role_check CHECK ((role = ANY (ARRAY['CLOUD_SUPPORT'::text, 'CLOUD_SALES'::text, 'CLOUD_OPERATOR'::text, 'CLOUD_ADMINISTRATOR'::text]))),
  constraint api_tokens_token_hash_key UNIQUE (token_hash)
);
CREATE UNIQUE INDEX api_tokens_name ON public.api_tokens USING btree (operator_id, lower(name)) WHERE (revoked_at IS NULL);

create table audit (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  actor text not null,
  action text not null,
  room_id uuid,
  room_name text,
  operation_id uuid,
  detail text,
  changes jsonb not null default '[]'::jsonb,
  request_id text,
  constraint audit_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_action ON public.audit USING btree (action text_pattern_ops, id);
CREATE INDEX audit_actor ON public.audit USING btree (lower(actor) text_pattern_ops, id);
CREATE INDEX audit_at ON public.audit USING btree (at, id);
CREATE INDEX audit_room ON public.audit USING btree (room_id, id DESC) WHERE (room_id IS NOT NULL);
CREATE INDEX audit_room_name ON public.audit USING btree (lower(room_name) text_pattern_ops, id) WHERE (room_name IS NOT NULL);
CREATE TRIGGER audit_awaits_seal AFTER INSERT ON public.audit FOR EACH ROW EXECUTE FUNCTION audit_awaits_seal();
CREATE TRIGGER audit_stays BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION audit_stays();

create table audit_head (
  is_set boolean not null default true,
  "position" bigint not null,
  hash bytea not null,
  sealed_at timestamp with time zone not null default now(),
  constraint audit_head_is_set_check CHECK (is_set),
  constraint audit_head_pkey PRIMARY KEY (is_set)
);

create table audit_seals (
  "position" bigint not null,
  entry_id bigint not null,
  hash bytea not null,
  constraint audit_seals_pkey PRIMARY KEY ("position")
);
CREATE INDEX audit_seals_entry ON public.audit_seals USING btree (entry_id);
CREATE TRIGGER audit_seals_stay BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_seals FOR EACH STATEMENT EXECUTE FUNCTION audit_stays();

create table audit_unsealed (
  entry_id bigint not null,
  constraint audit_unsealed_pkey PRIMARY KEY (entry_id)
);

create table backup_policies (
  id uuid not null,
  name text not null,
  is_on boolean not null,
  rooms jsonb not null,
  kind text not null,
  schedule jsonb not null,
  keep jsonb not null,
  verify_every integer not null,
  version integer not null default 1,
  looked_until timestamp with time zone,
  failed bigint not null default 0,
  forget_until timestamp with time zone,
  tidy_after uuid,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint backup_policies_kind_check CHECK ((kind = ANY (ARRAY['classic'::text, 'd2o'::text]))),
  constraint backup_policies_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX backup_policies_name ON public.backup_policies USING btree (lower(name)) WHERE (deleted_at IS NULL);

create table backup_tickets (
  token_hash bytea not null,
  backup_id uuid not null,
  expires_at timestamp with time zone not null,
  session_hash bytea,
  constraint backup_tickets_backup_id_fkey FOREIGN KEY (backup_id) REFERENCES room_backups(id) ON DELETE CASCADE,
  constraint backup_tickets_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX backup_tickets_backup ON public.backup_tickets USING btree (backup_id);

create table bulks (
  id uuid not null,
  action text not null,
  parameters jsonb not null,
  total integer not null,
  state text not null default 'WAITING'::text,
  started_by text not null,
  acts_for text not null,
  role text not null,
  started_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint bulks_pkey PRIMARY KEY (id),
  constraint bulks_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'RUNNING'::text, 'DONE'::text, 'PARTIALLY_DONE'::text, 'FAILED'::text, 'CANCELLED'::text])))
);
CREATE INDEX bulks_started ON public.bulks USING btree (started_at DESC, id);

create table cloud_configuration (
  is_set boolean not null default true,
  youtube_identifier text not null,
  constraint cloud_configuration_is_set_check CHECK (is_set),
  constraint cloud_configuration_pkey PRIMARY KEY (is_set)
);

create table console_assets (
  name text not null,
  gzipped bytea not null,
  needed_until timestamp with time zone not null,
  constraint console_assets_pkey PRIMARY KEY (name)
);

create table database_backups (
  id uuid not null,
  room_id uuid not null,
  database_name text not null,
  store_key text not null,
  size bigint not null,
  sha256 text not null,
  sealed_password text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  checked_at timestamp with time zone,
  proved_at timestamp with time zone,
  constraint database_backups_pkey PRIMARY KEY (id)
);
CREATE INDEX database_backups_checked ON public.database_backups USING btree (checked_at NULLS FIRST, id);
CREATE INDEX database_backups_expires_at ON public.database_backups USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX database_backups_newest ON public.database_backups USING btree (room_id, lower(database_name), created_at DESC);

create table deleted_rooms (
  id uuid not null default gen_random_uuid(),
  room_id uuid not null,
  name text not null,
  product text not null,
  edition text not null,
  customer_email text not null,
  company_name text not null,
  columns jsonb not null,
  backup_id uuid,
  deleted_at timestamp with time zone not null default now(),
  deleted_by text not null,
  kept_until timestamp with time zone not null,
  operation_id uuid,
  purge_begun_at timestamp with time zone,
  purged_files jsonb not null default '[]'::jsonb,
  purge_retried_by text,
  constraint deleted_rooms_backup_id_fkey FOREIGN KEY (backup_id) REFERENCES room_backups(id) ON DELETE SET NULL,
  constraint deleted_rooms_pkey PRIMARY KEY (id),
  constraint deleted_rooms_room_id_key UNIQUE (room_id)
);
CREATE INDEX deleted_rooms_backup ON public.deleted_rooms USING btree (backup_id) WHERE (backup_id IS NOT NULL);
CREATE INDEX deleted_rooms_kept_until ON public.deleted_rooms USING btree (kept_until);
CREATE INDEX deleted_rooms_newest ON public.deleted_rooms USING btree (deleted_at DESC, id);

create table doctor_findings (
  id uuid not null default gen_random_uuid(),
  key text not null,
  kind text not null,
  severity text not null,
  section text not null,
  room_id uuid,
  room_name text,
  region_id integer,
  region_ids integer[] not null default '{}'::integer[],
  subject text,
  facts jsonb not null default '{}'::jsonb,
  found_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  run_id uuid not null,
  closed_at timestamp with time zone,
  operation_id uuid,
  reasons jsonb not null default '{}'::jsonb,
  constraint doctor_findings_pkey PRIMARY KEY (id),
  constraint doctor_findings_severity_check CHECK ((severity = ANY (ARRAY['error'::text, 'warning'::text, 'info'::text])))
);
CREATE INDEX doctor_findings_closed ON public.doctor_findings USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE UNIQUE INDEX doctor_findings_open ON public.doctor_findings USING btree (key) WHERE (closed_at IS NULL);
CREATE INDEX doctor_findings_room ON public.doctor_findings USING btree (room_name) WHERE (closed_at IS NULL);
CREATE INDEX doctor_findings_shown ON public.doctor_findings USING btree (found_at, id) WHERE (closed_at IS NULL);
CREATE INDEX doctor_findings_subject ON public.doctor_findings USING btree (subject) WHERE ((closed_at IS NULL) AND (subject IS NOT NULL));
CREATE TRIGGER last_backup_delete AFTER DELETE ON public.doctor_findings FOR EACH ROW WHEN (((old.kind = ANY (ARRAY['backup-missing'::text, 'backup-altered'::text])) AND (old.closed_at IS NULL))) EXECUTE FUNCTION keep_last_backup_of_finding();
CREATE TRIGGER last_backup_insert AFTER INSERT ON public.doctor_findings FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['backup-missing'::text, 'backup-altered'::text]))) EXECUTE FUNCTION keep_last_backup_of_finding();
CREATE TRIGGER last_backup_update AFTER UPDATE OF closed_at ON public.doctor_findings FOR EACH ROW WHEN (((new.kind = ANY (ARRAY['backup-missing'::text, 'backup-altered'::text])) AND ((old.closed_at IS NULL) <> (new.closed_at IS NULL)))) EXECUTE FUNCTION keep_last_backup_of_finding();

create table doctor_runs (
  id uuid not null,
  operation_id uuid,
  started_by text not null,
  state text not null default 'running'::text,
  started_at timestamp with time zone not null default now(),
  beat_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  progress jsonb not null default '{}'::jsonb,
  constraint doctor_runs_pkey PRIMARY KEY (id),
  constraint doctor_runs_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE UNIQUE INDEX doctor_runs_open ON public.doctor_runs USING btree ((true)) WHERE (ended_at IS NULL);
CREATE INDEX doctor_runs_started ON public.doctor_runs USING btree (started_at DESC);

create table download_tickets (
  token_hash bytea not null,
  session_hash bytea not null,
  download text not null,
  query jsonb not null,
  expires_at timestamp with time zone not null,
  constraint download_tickets_pkey PRIMARY KEY (token_hash)
);

create table events (
  id bigint not null generated always as identity,
  tx xid8 not null default pg_current_xact_id(),
  at timestamp with time zone not null default now(),
  payload jsonb not null,
  constraint events_pkey PRIMARY KEY (tx, id)
);
CREATE INDEX events_at ON public.events USING btree (at);
CREATE TRIGGER events_announced AFTER INSERT ON public.events FOR EACH STATEMENT EXECUTE FUNCTION announce_events();

create table expiry_reminders (
  room_id uuid not null,
  expiration_date date not null,
  days integer not null,
  operation_id uuid,
  at timestamp with time zone not null default now(),
  told text[] not null default '{}'::text[],
  again_on date,
  constraint expiry_reminders_pkey PRIMARY KEY (room_id, expiration_date, days),
  constraint expiry_reminders_room_id_fkey FOREIGN KEY (room_id) REFERENCES rooms(id) ON DELETE CASCADE
);

create table failed_sign_ins (
  email text not null,
  address text not null,
  at timestamp with time zone not null default now(),
  id bigint not null generated always as identity,
  constraint failed_sign_ins_pkey PRIMARY KEY (id)
);
CREATE INDEX failed_sign_ins_address ON public.failed_sign_ins USING btree (address, at);

create table forced_deletions (
  region_id integer not null,
  operation_id uuid not null,
  ended_at timestamp with time zone not null default now(),
  constraint forced_deletions_region_id_fkey FOREIGN KEY (region_id) REFERENCES regions(id) ON DELETE CASCADE
);
CREATE INDEX forced_deletions_region ON public.forced_deletions USING btree (region_id, ended_at DESC);

create table forgotten_room_names (
  id uuid not null default gen_random_uuid(),
  email text not null,
  asked_at timestamp with time zone not null default now(),
  due_at timestamp with time zone not null default now(),
  constraint forgotten_room_names_pkey PRIMARY KEY (id)
);
CREATE INDEX forgotten_room_names_due ON public.forgotten_room_names USING btree (due_at);

create table idempotency_keys (
  operator_id uuid not null,
  route text not null,
  key text not null,
  body_hash bytea not null,
  operation_id uuid not null,
  at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (operator_id, route, key)
);
CREATE INDEX idempotency_keys_at ON public.idempotency_keys USING btree (at);

create table late_calls (
  operation_id uuid not null,
  region_id integer not null,
  room_id text,
  fence integer not null,
  ended_at timestamp with time zone not null default now(),
  constraint late_calls_pkey PRIMARY KEY (operation_id, region_id)
);
CREATE INDEX late_calls_room ON public.late_calls USING btree (region_id, room_id);

create table live_migration_states (
  id integer not null generated by default as identity,
  migration_id integer not null,
  room_id uuid not null,
  room_name text not null,
  outcome text not null,
  operation_id uuid,
  at timestamp with time zone not null default now(),
  log text not null default ''::text,
  error text not null default ''::text,
  source_region_id integer,
  target_region_id integer,
  error_reasons jsonb,
  lines jsonb,
  constraint live_migration_states_migration_id_fkey FOREIGN KEY (migration_id) REFERENCES live_migrations(id) ON DELETE CASCADE,
  constraint live_migration_states_outcome_check CHECK ((outcome = ANY (ARRAY['migrated'::text, 'postponed'::text, 'failed'::text]))),
  constraint live_migration_states_pkey PRIMARY KEY (id)
);
CREATE INDEX live_migration_states_migration ON public.live_migration_states USING btree (migration_id, id DESC);
CREATE INDEX live_migration_states_operation ON public.live_migration_states USING btree (operation_id);
CREATE INDEX live_migration_states_room ON public.live_migration_states USING btree (room_id);

create table live_migrations (
  id integer not null generated by default as identity,
  source_region_id integer not null,
  target_region_id integer not null,
  state text not null default 'STOPPED'::text,
  routing boolean not null default false,
  parallel boolean not null default false,
  warning boolean not null default false,
  run_id uuid,
  started_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint live_migrations_check CHECK ((source_region_id <> target_region_id)),
  constraint live_migrations_pkey PRIMARY KEY (id),
  constraint live_migrations_source_region_id_fkey FOREIGN KEY (source_region_id) REFERENCES regions(id),
  constraint live_migrations_state_check CHECK ((state = ANY (ARRAY['STOPPED'::text, 'RUNNING'::text, 'FAILED'::text, 'COMPLETED'::text, 'PARTIALLY_COMPLETED'::text]))),
  constraint live_migrations_target_region_id_fkey FOREIGN KEY (target_region_id) REFERENCES regions(id)
);
CREATE INDEX live_migrations_source ON public.live_migrations USING btree (source_region_id);
CREATE INDEX live_migrations_target ON public.live_migrations USING btree (target_region_id);
CREATE TRIGGER live_migrations_version BEFORE UPDATE OF source_region_id, target_region_id, routing, parallel ON public.live_migrations FOR EACH ROW WHEN (((((old.source_region_id IS DISTINCT FROM new.source_region_id) OR (old.target_region_id IS DISTINCT FROM new.target_region_id)) OR (old.routing IS DISTINCT FROM new.routing)) OR (old.parallel IS DISTINCT FROM new.parallel))) EXECUTE FUNCTION count_version();

create table maintenance (
  is_set boolean not null default true,
  is_on boolean not null,
  message text not null,
  constraint maintenance_is_set_check CHECK (is_set),
  constraint maintenance_pkey PRIMARY KEY (is_set)
);

create table notifications (
  id integer not null generated by default as identity,
  message text not null,
  start_at timestamp with time zone not null,
  end_at timestamp with time zone not null,
  is_popup boolean not null,
  is_deactivated boolean not null,
  created_at timestamp with time zone not null default now(),
  constraint notifications_check CHECK ((start_at < end_at)),
  constraint notifications_pkey PRIMARY KEY (id)
);

create table operation_item_counts (
  parent_id uuid not null,
  state text not null,
  rooms bigint not null,
  bytes bigint not null
);
CREATE INDEX operation_item_counts_parent ON public.operation_item_counts USING btree (parent_id);

create table operation_items (
  parent_id uuid not null,
  "position" integer not null,
  migration_id integer,
  room_id uuid not null,
  room_name text not null,
  state text not null default 'waiting'::text,
  operation_id uuid,
  reason text,
  bytes bigint,
  bytes_at timestamp with time zone,
  ended_at timestamp with time zone,
  reasons jsonb,
  region_id integer not null default 0,
  constraint operation_items_migration_id_fkey FOREIGN KEY (migration_id) REFERENCES live_migrations(id) ON DELETE CASCADE,
  constraint operation_items_pkey PRIMARY KEY (parent_id, room_id),
  constraint operation_items_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'skipped'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX operation_items_bytes_at ON public.operation_items USING btree (bytes_at) INCLUDE (parent_id, bytes) WHERE (bytes_at IS NOT NULL);
CREATE INDEX operation_items_ended_at ON public.operation_items USING btree (ended_at) INCLUDE (parent_id) WHERE (ended_at IS NOT NULL);
CREATE INDEX operation_items_open ON public.operation_items USING btree (migration_id) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE INDEX operation_items_states ON public.operation_items USING btree (parent_id, state, region_id, "position");
CREATE TRIGGER operation_item_counts_delete AFTER DELETE ON public.operation_items REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION keep_operation_item_counts();
CREATE TRIGGER operation_item_counts_insert AFTER INSERT ON public.operation_items REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION keep_operation_item_counts();
CREATE TRIGGER operation_item_counts_update AFTER UPDATE ON public.operation_items REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION keep_operation_item_counts();
CREATE TRIGGER operation_items_reasons BEFORE UPDATE OF reason ON public.operation_items FOR EACH ROW WHEN (((new.reason IS DISTINCT FROM old.reason) AND (NOT (new.reasons IS DISTINCT FROM old.reasons)))) EXECUTE FUNCTION forget_reasons();

create table operation_log (
  operation_id uuid not null,
  n integer not null,
  at timestamp with time zone not null default now(),
  level text not null,
  text text not null,
  "position" integer,
  reasons jsonb,
  constraint operation_log_level_check CHECK ((level = ANY (ARRAY['info'::text, 'warning'::text, 'error'::text]))),
  constraint operation_log_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES operations(id) ON DELETE CASCADE,
  constraint operation_log_pkey PRIMARY KEY (operation_id, n)
);
CREATE INDEX operation_log_of_step ON public.operation_log USING btree (operation_id, "position", n) WHERE ("position" IS NOT NULL);

create table operation_outcomes (
  operation_id uuid not null,
  state text not null,
  error text,
  error_reasons jsonb,
  constraint operation_outcomes_pkey PRIMARY KEY (operation_id)
);

create table operation_places (
  operation_id uuid not null,
  region_id integer not null,
  n bigint not null,
  held boolean not null default false,
  attempt integer not null,
  from_step integer not null default 0,
  background boolean not null default false,
  constraint operation_places_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES operations(id) ON DELETE CASCADE,
  constraint operation_places_pkey PRIMARY KEY (operation_id, region_id)
);
CREATE INDEX operation_places_by_turn ON public.operation_places USING btree (region_id, background, n) WHERE (NOT held);
CREATE INDEX operation_places_line ON public.operation_places USING btree (region_id, held, n);
CREATE INDEX operation_places_waiting ON public.operation_places USING btree (n) WHERE (NOT held);
CREATE TRIGGER operation_places_line AFTER INSERT OR DELETE OR UPDATE ON public.operation_places FOR EACH ROW EXECUTE FUNCTION keep_line();

create table operation_steps (
  operation_id uuid not null,
  "position" integer not null,
  name text not null,
  state text not null,
  output jsonb,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  process_type text,
  region_id integer,
  room_name text,
  failing_since timestamp with time zone,
  failing_undo boolean not null default false,
  furthest double precision not null default 0,
  step_id text,
  failing_reasons jsonb,
  next_try_at timestamp with time zone,
  undone_from text,
  constraint operation_steps_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES operations(id) ON DELETE CASCADE,
  constraint operation_steps_pkey PRIMARY KEY (operation_id, "position"),
  constraint operation_steps_state_check CHECK ((state = ANY (ARRAY['open'::text, 'running'::text, 'done'::text, 'failed'::text, 'undone'::text])))
);
CREATE INDEX operation_steps_by_name ON public.operation_steps USING btree (room_name, started_at, operation_id, "position") WHERE ((process_type IS NOT NULL) AND (started_at IS NOT NULL));
CREATE INDEX operation_steps_by_process ON public.operation_steps USING btree (process_type, started_at, operation_id, "position") WHERE ((process_type IS NOT NULL) AND (started_at IS NOT NULL));
CREATE INDEX operation_steps_by_region ON public.operation_steps USING btree (region_id, started_at, operation_id, "position") WHERE ((process_type IS NOT NULL) AND (started_at IS NOT NULL));
CREATE INDEX operation_steps_by_state ON public.operation_steps USING btree ((
CASE state
    WHEN 'undone'::text THEN 'cancelled'::text
    ELSE state
END), started_at, operation_id, "position") WHERE ((process_type IS NOT NULL) AND (started_at IS NOT NULL));
CREATE INDEX operation_steps_by_time ON public.operation_steps USING btree (started_at, operation_id, "position") WHERE ((process_type IS NOT NULL) AND (started_at IS NOT NULL));
CREATE INDEX operation_steps_name_search ON public.operation_steps USING gin (room_name gin_trgm_ops) WHERE ((process_type IS NOT NULL) AND (started_at IS NOT NULL));
CREATE TRIGGER operation_steps_id BEFORE INSERT ON public.operation_steps FOR EACH ROW WHEN ((new.step_id IS NULL)) EXECUTE FUNCTION set_step_id();

create table operations (
  id uuid not null,
  kind text not null,
  version integer not null,
  process_type text,
  room_id uuid,
  room_name text not null,
  region_id integer,
  input jsonb not null,
  state text not null,
  step text,
  progress real not null default 0,
  error text,
  started_by text not null,
  request_id text,
  cancel_requested boolean not null default false,
  attempt integer not null default 1,
  fence integer not null default 0,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  parent_id uuid,
  executed_at timestamp with time zone not null default now(),
  log_lines integer not null default 0,
  worker_id uuid,
  claimed_at timestamp with time zone,
  in_line boolean not null default false,
  failure jsonb,
  restored boolean not null default false,
  step_id text,
  error_reasons jsonb,
  traceparent text,
  constraint operations_pkey PRIMARY KEY (id),
  constraint operations_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'cancelling'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
  constraint operations_worker_id_fkey FOREIGN KEY (worker_id) REFERENCES workers(id) ON DELETE SET NULL
);
CREATE INDEX operations_about_room ON public.operations USING btree (((input ->> 'roomId'::text))) WHERE ((room_id IS NULL) AND (input ? 'roomId'::text));
CREATE INDEX operations_by_name ON public.operations USING btree (room_name, executed_at, id) WHERE (process_type IS NOT NULL);
CREATE INDEX operations_by_process ON public.operations USING btree (process_type, executed_at, id) WHERE (process_type IS NOT NULL);
CREATE INDEX operations_by_region ON public.operations USING btree (region_id, executed_at, id) WHERE (process_type IS NOT NULL);
CREATE INDEX operations_by_state ON public.operations USING btree (state, executed_at, id) WHERE (process_type IS NOT NULL);
CREATE INDEX operations_by_time ON public.operations USING btree (executed_at, id) WHERE (process_type IS NOT NULL);
CREATE INDEX operations_claimed ON public.operations USING btree (worker_id) WHERE (worker_id IS NOT NULL);
CREATE INDEX operations_ended ON public.operations USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX operations_name_search ON public.operations USING gin (room_name gin_trgm_ops) WHERE (process_type IS NOT NULL);
CREATE INDEX operations_of_policies ON public.operations USING btree (attempt, ended_at) WHERE ((state = 'done'::text) AND (started_by = 'system'::text) AND (kind = ANY (ARRAY['room.backup-scheduled'::text, 'room.backup-scheduled-d2o'::text, 'backup.verify'::text])));
CREATE UNIQUE INDEX operations_one_per_room ON public.operations USING btree (room_id) WHERE ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'cancelling'::text])) AND (room_id IS NOT NULL));
CREATE UNIQUE INDEX operations_one_verification ON public.operations USING btree (((input ->> 'backupId'::text))) WHERE ((kind = 'backup.verify'::text) AND (state = ANY (ARRAY['waiting'::text, 'running'::text, 'cancelling'::text])));
CREATE INDEX operations_open ON public.operations USING btree (created_at) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text, 'cancelling'::text]));
CREATE INDEX operations_parent ON public.operations USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX operations_room ON public.operations USING btree (room_id, created_at DESC);
CREATE INDEX operations_unclaimed ON public.operations USING btree (executed_at, id) WHERE ((worker_id IS NULL) AND (NOT in_line) AND (state = ANY (ARRAY['waiting'::text, 'running'::text, 'cancelling'::text])));
CREATE INDEX operations_with_secrets ON public.operations USING btree (ended_at) WHERE ((state = 'failed'::text) AND (input ? 'sealed'::text));
CREATE TRIGGER operations_call_workers AFTER INSERT ON public.operations FOR EACH ROW WHEN (((new.worker_id IS NULL) AND (NOT new.in_line) AND (new.state = ANY (ARRAY['waiting'::text, 'running'::text, 'cancelling'::text])))) EXECUTE FUNCTION call_workers();
CREATE TRIGGER operations_call_workers_again AFTER UPDATE ON public.operations FOR EACH ROW WHEN (((new.worker_id IS NULL) AND (NOT new.in_line) AND (new.state = ANY (ARRAY['waiting'::text, 'running'::text, 'cancelling'::text])) AND ((old.worker_id IS NOT NULL) OR old.in_line OR (old.state = ANY (ARRAY['done'::text, 'failed'::text, 'cancelled'::text]))))) EXECUTE FUNCTION call_workers();
CREATE TRIGGER operations_end_steps AFTER UPDATE OF state ON public.operations FOR EACH ROW WHEN (((new.state = ANY (ARRAY['done'::text, 'failed'::text, 'cancelled'::text])) AND (old.state IS DISTINCT FROM new.state))) EXECUTE FUNCTION end_operation_steps();
CREATE TRIGGER operations_error_reasons BEFORE UPDATE OF error ON public.operations FOR EACH ROW WHEN (((new.error IS DISTINCT FROM old.error) AND (NOT (new.error_reasons IS DISTINCT FROM old.error_reasons)))) EXECUTE FUNCTION forget_error_reasons();
CREATE TRIGGER operations_free_places AFTER UPDATE OF state ON public.operations FOR EACH ROW WHEN (((new.state = ANY (ARRAY['done'::text, 'failed'::text, 'cancelled'::text])) AND (old.state IS DISTINCT FROM new.state))) EXECUTE FUNCTION free_operation_places();
CREATE TRIGGER operations_let_go BEFORE UPDATE OF state ON public.operations FOR EACH ROW WHEN (((new.state = ANY (ARRAY['done'::text, 'failed'::text, 'cancelled'::text])) AND (old.state IS DISTINCT FROM new.state))) EXECUTE FUNCTION let_go_of_operation();
CREATE TRIGGER operations_outcomes AFTER DELETE ON public.operations REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_outcomes();
CREATE TRIGGER operations_step_id BEFORE UPDATE OF step ON public.operations FOR EACH ROW WHEN (((new.step IS DISTINCT FROM old.step) AND (NOT (new.step_id IS DISTINCT FROM old.step_id)) AND ((new.step IS NULL) OR (step_id_of(new.step) <> new.step)))) EXECUTE FUNCTION set_current_step_id();
CREATE TRIGGER operations_step_ids AFTER UPDATE OF state ON public.operations FOR EACH ROW WHEN (((old.state = ANY (ARRAY['done'::text, 'failed'::text, 'cancelled'::text])) AND (new.state <> ALL (ARRAY['done'::text, 'failed'::text, 'cancelled'::text])))) EXECUTE FUNCTION set_step_ids();
CREATE TRIGGER operations_tell_cancelled AFTER UPDATE OF cancel_requested ON public.operations FOR EACH ROW WHEN ((new.cancel_requested AND (NOT old.cancel_requested) AND (new.worker_id IS NOT NULL))) EXECUTE FUNCTION tell_cancelled();

create table operators (
  id uuid not null default gen_random_uuid(),
  email text not null,
  name text not null,
  role text not null,
  password_hash text not null,
  created_at timestamp with time zone not null default now(),
  constraint operators_pkey PRIMARY KEY (id),
  constraint operators_role_check CHECK ((role = ANY (ARRAY['CLOUD_SUPPORT'::text, 'CLOUD_SALES'::text, 'CLOUD_OPERATOR'::text, 'CLOUD_ADMINISTRATOR'::text])))
);
CREATE UNIQUE INDEX operators_email ON public.operators USING btree (lower(email));

create table purged_rooms (
  id uuid not null,
  room_id uuid not null,
  name text not null,
  company_name text not null,
  statement jsonb not null,
  sha256 text not null,
  audit_id bigint not null,
  purged_at timestamp with time zone not null,
  purged_by text not null,
  constraint purged_rooms_pkey PRIMARY KEY (id)
);
CREATE INDEX purged_rooms_newest ON public.purged_rooms USING btree (purged_at DESC, id);

create table regions (
  id integer not null generated by default as identity,
  name text not null,
  url text not null,
  user_name text not null,
  password text not null,
  system_password text not null,
  products text[] not null,
  source_regions integer[] not null default '{}'::integer[],
  state text not null default 'enabled'::text,
  max_rooms integer not null default '-1'::integer,
  room_count integer not null default 0,
  embedded_name text,
  created_at timestamp with time zone not null default now(),
  instance_id uuid,
  other_server_at timestamp with time zone,
  version integer not null default 1,
  software_version text,
  health text,
  health_since timestamp with time zone,
  down_since timestamp with time zone,
  constraint regions_embedded_name_key UNIQUE (embedded_name),
  constraint regions_health CHECK ((health = ANY (ARRAY['answers'::text, 'unreachable'::text, 'refuses-login'::text]))),
  constraint regions_max_rooms_check CHECK ((max_rooms >= '-1'::integer)),
  constraint regions_pkey PRIMARY KEY (id),
  constraint regions_state_check CHECK ((state = ANY (ARRAY['enabled'::text, 'disabled'::text])))
);
CREATE UNIQUE INDEX regions_name ON public.regions USING btree (lower(name));
CREATE TRIGGER regions_version BEFORE UPDATE OF name, url, user_name, password, system_password, products, source_regions, state, max_rooms ON public.regions FOR EACH ROW WHEN ((((((((((old.name IS DISTINCT FROM new.name) OR (old.url IS DISTINCT FROM new.url)) OR (old.user_name IS DISTINCT FROM new.user_name)) OR (old.password IS DISTINCT FROM new.password)) OR (old.system_password IS DISTINCT FROM new.system_password)) OR (old.products IS DISTINCT FROM new.products)) OR (old.source_regions IS DISTINCT FROM new.source_regions)) OR (old.state IS DISTINCT FROM new.state)) OR (old.max_rooms IS DISTINCT FROM new.max_rooms))) EXECUTE FUNCTION count_version();

create table removed_rooms (
  room_id uuid not null,
  room_name text not null,
  region_name text not null,
  removed_at timestamp with time zone not null default now(),
  constraint removed_rooms_pkey PRIMARY KEY (room_id)
);
CREATE INDEX removed_rooms_newest ON public.removed_rooms USING btree (removed_at DESC, room_id);

create table reserved_places (
  room_id uuid not null,
  region_id integer not null,
  operation_id uuid not null,
  constraint reserved_places_pkey PRIMARY KEY (room_id),
  constraint reserved_places_region_id_fkey FOREIGN KEY (region_id) REFERENCES regions(id) ON DELETE CASCADE
);
CREATE TRIGGER reserved_places_counted AFTER INSERT OR DELETE ON public.reserved_places FOR EACH ROW EXECUTE FUNCTION count_reserved_places();

create table room_backups (
  id uuid not null,
  room_id uuid not null,
  room_name text not null,
  kind text not null,
  location text not null,
  size bigint not null,
  sha256 text not null,
  verified_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  checked_at timestamp with time zone,
  restored_at timestamp with time zone,
  constraint room_backups_kind_check CHECK ((kind = ANY (ARRAY['classic'::text, 'd2o'::text]))),
  constraint room_backups_pkey PRIMARY KEY (id)
);
CREATE INDEX room_backups_checked ON public.room_backups USING btree (checked_at NULLS FIRST, id);
CREATE INDEX room_backups_expires_at ON public.room_backups USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX room_backups_room ON public.room_backups USING btree (room_id, created_at DESC);
CREATE TRIGGER last_backup_delete AFTER DELETE ON public.room_backups FOR EACH ROW EXECUTE FUNCTION keep_last_backup();
CREATE TRIGGER last_backup_insert AFTER INSERT ON public.room_backups FOR EACH ROW EXECUTE FUNCTION keep_last_backup();
CREATE TRIGGER last_backup_update AFTER UPDATE OF created_at, restored_at ON public.room_backups FOR EACH ROW WHEN (((old.created_at <> new.created_at) OR (old.restored_at IS DISTINCT FROM new.restored_at))) EXECUTE FUNCTION keep_last_backup();

create table room_months (
  region_id integer not null,
  state room_state not null,
  product product not null,
  edition edition not null,
  sales_channel sales_channel not null,
  month date not null,
  rooms bigint not null
);

create table room_name_changes (
  name text not null,
  change integer not null
);

create table room_name_ranges (
  start text not null,
  rooms integer not null,
  constraint room_name_ranges_pkey PRIMARY KEY (start)
);

create table room_routes (
  room_id uuid not null,
  region_id integer not null,
  room_name text not null,
  target_region_id integer not null,
  constraint room_routes_pkey PRIMARY KEY (room_id, region_id),
  constraint room_routes_region_id_fkey FOREIGN KEY (region_id) REFERENCES regions(id) ON DELETE CASCADE,
  constraint room_routes_target_region_id_fkey FOREIGN KEY (target_region_id) REFERENCES regions(id) ON DELETE CASCADE
);

create table room_totals (
  region_id integer not null,
  state room_state not null,
  product product not null,
  edition edition not null,
  sales_channel sales_channel not null,
  rooms bigint not null,
  designers bigint,
  viewers bigint,
  architects bigint,
  ep_bus bigint,
  ep_eam bigint,
  designers_sap bigint,
  architects_sap bigint,
  yukon_data_volume bigint,
  ai_credits bigint,
  yukon_viewer bigint,
  yukon_engineer bigint,
  yukon_analyst bigint,
  es_designer bigint,
  es_viewer bigint,
  es_viewer_pro bigint,
  es_admin bigint
);

create table rooms (
  id uuid not null,
  region_id integer not null,
  state room_state not null,
  product product not null,
  edition edition not null,
  sales_channel sales_channel not null,
  sub_mining_type sub_mining_type not null default 'NONE'::sub_mining_type,
  priority integer not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  expiration_date date,
  designers bigint generated always as (NULLIF((COALESCE(((licences ->> 'YABD'::text))::bigint, (0)::bigint) + COALESCE(((licences ->> 'YAAD'::text))::bigint, (0)::bigint)), 0)) stored,
  viewers bigint generated always as (NULLIF((COALESCE(((licences ->> 'YABV'::text))::bigint, (0)::bigint) + COALESCE(((licences ->> 'YAAV'::text))::bigint, (0)::bigint)), 0)) stored,
  architects bigint generated always as (NULLIF(((licences ->> 'YAAA'::text))::bigint, 0)) stored,
  ep_bus bigint generated always as (NULLIF(((licences ->> 'YAABS'::text))::bigint, 0)) stored,
  ep_eam bigint generated always as (NULLIF(((licences ->> 'YAAEAM'::text))::bigint, 0)) stored,
  designers_sap bigint generated always as (NULLIF(((licences ->> 'YAADS'::text))::bigint, 0)) stored,
  architects_sap bigint generated always as (NULLIF(((licences ->> 'YAAAS'::text))::bigint, 0)) stored,
  yukon_data_volume bigint generated always as (NULLIF((jsonb_path_query_first(sub_licences, '$[*]?(@."licenseKey" == "DataVolumeGB")."subLicenseAmount"'::jsonpath))::bigint, 0)) stored,
  ai_credits bigint generated always as (NULLIF(((licences ->> 'ESAI'::text))::bigint, 0)) stored,
  yukon_viewer bigint generated always as (NULLIF((COALESCE(((licences ->> 'YPMAV'::text))::bigint, (0)::bigint) + COALESCE(((licences ->> 'YPMEV'::text))::bigint, (0)::bigint)), 0)) stored,
  yukon_engineer bigint generated always as (NULLIF((COALESCE(((licences ->> 'YPMAE'::text))::bigint, (0)::bigint) + COALESCE(((licences ->> 'YPMEE'::text))::bigint, (0)::bigint)), 0)) stored,
  yukon_analyst bigint generated always as (NULLIF(((COALESCE(((licences ->> 'YPMBA'::text))::bigint, (0)::bigint) + COALESCE(((licences ->> 'YPMAA'::text))::bigint, (0)::bigint)) + COALESCE(((licences ->> 'YPMEA'::text))::bigint, (0)::bigint)), 0)) stored,
  es_designer bigint generated always as (NULLIF(((licences ->> 'ESD'::text))::bigint, 0)) stored,
  es_viewer bigint generated always as (NULLIF(((licences ->> 'ESV'::text))::bigint, 0)) stored,
  es_viewer_pro bigint generated always as (NULLIF(((licences ->> 'ESVP'::text))::bigint, 0)) stored,
  es_admin bigint generated always as (NULLIF(((licences ->> 'ESA'::text))::bigint, 0)) stored,
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
  licences jsonb not null,
  licences_information jsonb not null,
  sub_licences jsonb not null,
  search text generated always as (lower(((((((name || ''::text) || customer_first_name) || ''::text) || customer_last_name) || ''::text) || customer_email))) stored,
  error_code text,
  error_reasons jsonb,
  shares_sap_number boolean,
  last_backup_at timestamp with time zone not null default '0001-01-01 00:00:00+00'::timestamp with time zone,
  last_backup_restored_at timestamp with time zone,
  constraint rooms_pkey PRIMARY KEY (id),
  constraint rooms_region_id_fkey FOREIGN KEY (region_id) REFERENCES regions(id)
);
CREATE INDEX rooms_by_bytes_of_name ON public.rooms USING btree (name COLLATE "C");
CREATE INDEX rooms_by_company ON public.rooms USING btree (company_name COLLATE "und-x-icu", name);
CREATE INDEX rooms_by_created_at ON public.rooms USING btree (created_at, name) INCLUDE (region_id, state);
CREATE INDEX rooms_by_delegate ON public.rooms USING btree (lower(additional_email)) WHERE (additional_email IS NOT NULL);
CREATE INDEX rooms_by_delegate_email ON public.rooms USING btree (additional_email COLLATE "und-x-icu", name);
CREATE INDEX rooms_by_email ON public.rooms USING btree (customer_email COLLATE "und-x-icu", name) INCLUDE (region_id, state);
CREATE INDEX rooms_by_expiration_date ON public.rooms USING btree (expiration_date, name) INCLUDE (region_id, state);
CREATE INDEX rooms_by_first_name ON public.rooms USING btree (customer_first_name COLLATE "und-x-icu", name) INCLUDE (region_id, state);
CREATE INDEX rooms_by_last_backup ON public.rooms USING btree (last_backup_at, name) INCLUDE (region_id, state, product, edition, sales_channel);
CREATE INDEX rooms_by_last_name ON public.rooms USING btree (customer_last_name COLLATE "und-x-icu", name) INCLUDE (region_id, state);
CREATE INDEX rooms_by_new_sap_number ON public.rooms USING btree (sap_number_last, name);
CREATE INDEX rooms_by_owner ON public.rooms USING btree (lower(customer_email));
CREATE INDEX rooms_by_priority ON public.rooms USING btree (priority, name);
CREATE INDEX rooms_by_rare_state ON public.rooms USING btree (state, name) INCLUDE (region_id, product, edition, sales_channel) WHERE (state <> 'DEFAULT'::room_state);
CREATE INDEX rooms_by_region ON public.rooms USING btree (region_id, name) INCLUDE (state, product, edition, sales_channel);
CREATE INDEX rooms_by_sales_contact ON public.rooms USING btree (salesman COLLATE "und-x-icu", name);
CREATE INDEX rooms_by_sales_email ON public.rooms USING btree (salesman_email COLLATE "und-x-icu", name);
CREATE INDEX rooms_by_sap_number ON public.rooms USING btree (sap_number, name);
CREATE INDEX rooms_by_sub_mining_type ON public.rooms USING btree (sub_mining_type, name);
CREATE INDEX rooms_by_turn ON public.rooms USING btree (room_turn(id));
CREATE INDEX rooms_letter_pairs ON public.rooms USING gin (letter_pairs(((search || ''::text) || lower(((((company_name || ''::text) || sap_number) || ''::text) || COALESCE(sap_number_last, ''::text))))), letter_pairs(lower(((((COALESCE(salesman, ''::text) || ''::text) || salesman_email) || ''::text) || COALESCE(additional_email, ''::text)))));
CREATE UNIQUE INDEX rooms_name ON public.rooms USING btree (name) INCLUDE (region_id, state, product, edition, sales_channel);
CREATE UNIQUE INDEX rooms_new_sap_number ON public.rooms USING btree (sap_number_key(sap_number_last)) WHERE ((sap_number_last IS NOT NULL) AND (shares_sap_number IS NULL));
CREATE INDEX rooms_sap_number_key ON public.rooms USING btree (sap_number_key(sap_number));
CREATE INDEX rooms_search ON public.rooms USING gin (search gin_trgm_ops);
CREATE INDEX rooms_search_more ON public.rooms USING gin (lower(((((company_name || ''::text) || sap_number) || ''::text) || COALESCE(sap_number_last, ''::text))) gin_trgm_ops);
CREATE INDEX rooms_shared_sap_number ON public.rooms USING btree (name) WHERE shares_sap_number;
CREATE TRIGGER follow_moved_room AFTER UPDATE OF region_id ON public.rooms FOR EACH ROW WHEN ((old.region_id IS DISTINCT FROM new.region_id)) EXECUTE FUNCTION follow_moved_room();
CREATE TRIGGER last_backup_insert BEFORE INSERT ON public.rooms FOR EACH ROW EXECUTE FUNCTION find_last_backup();
CREATE TRIGGER region_counts_delete AFTER DELETE ON public.rooms REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION keep_region_counts();
CREATE TRIGGER region_counts_insert AFTER INSERT ON public.rooms REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION keep_region_counts();
CREATE TRIGGER region_counts_update AFTER UPDATE ON public.rooms REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION keep_region_counts();
CREATE TRIGGER room_months_delete AFTER DELETE ON public.rooms REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION keep_room_months();
CREATE TRIGGER room_months_insert AFTER INSERT ON public.rooms REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION keep_room_months();
CREATE TRIGGER room_months_update AFTER UPDATE ON public.rooms REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION keep_room_months();
CREATE TRIGGER room_names_delete AFTER DELETE ON public.rooms REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION keep_room_names();
CREATE TRIGGER room_names_insert AFTER INSERT ON public.rooms REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION keep_room_names();
CREATE TRIGGER room_names_update AFTER UPDATE OF name ON public.rooms FOR EACH ROW WHEN ((old.name <> new.name)) EXECUTE FUNCTION keep_room_name();
CREATE TRIGGER room_totals_delete AFTER DELETE ON public.rooms REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION keep_room_totals();
CREATE TRIGGER room_totals_insert AFTER INSERT ON public.rooms REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION keep_room_totals();
CREATE TRIGGER room_totals_update AFTER UPDATE ON public.rooms REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION keep_room_totals();
CREATE TRIGGER rooms_error_code BEFORE UPDATE OF error_message ON public.rooms FOR EACH ROW WHEN (((new.error_message IS DISTINCT FROM old.error_message) AND (NOT (new.error_code IS DISTINCT FROM old.error_code)))) EXECUTE FUNCTION set_error_code();
CREATE TRIGGER rooms_error_reasons BEFORE UPDATE OF error_message ON public.rooms FOR EACH ROW WHEN (((new.error_message IS DISTINCT FROM old.error_message) AND (NOT (new.error_reasons IS DISTINCT FROM old.error_reasons)))) EXECUTE FUNCTION forget_error_reasons();
CREATE TRIGGER rooms_new_sap_number BEFORE INSERT OR UPDATE OF sap_number_last ON public.rooms FOR EACH ROW EXECUTE FUNCTION check_new_sap_number();
CREATE TRIGGER rooms_truncated AFTER TRUNCATE ON public.rooms FOR EACH STATEMENT EXECUTE FUNCTION recount_no_rooms();

create table scheduled_backup_days (
  policy_id uuid not null,
  day date not null,
  done integer not null,
  failed integer not null,
  missed integer not null,
  constraint scheduled_backup_days_pkey PRIMARY KEY (policy_id, day),
  constraint scheduled_backup_days_policy_id_fkey FOREIGN KEY (policy_id) REFERENCES backup_policies(id) ON DELETE CASCADE
);

create table scheduled_backups (
  policy_id uuid not null,
  room_id uuid not null,
  region_id integer not null,
  due_at timestamp with time zone not null,
  counts_from timestamp with time zone not null,
  try_until timestamp with time zone not null,
  state text not null default 'waiting'::text,
  operation_id uuid,
  started_at timestamp with time zone,
  tried_at timestamp with time zone,
  is_tidied boolean not null default false,
  constraint scheduled_backups_pkey PRIMARY KEY (policy_id, room_id, due_at),
  constraint scheduled_backups_policy_id_fkey FOREIGN KEY (policy_id) REFERENCES backup_policies(id) ON DELETE CASCADE,
  constraint scheduled_backups_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'started'::text, 'done'::text, 'failed'::text, 'missed'::text])))
);
CREATE INDEX scheduled_backups_begun ON public.scheduled_backups USING btree (policy_id, started_at) WHERE (started_at IS NOT NULL);
CREATE INDEX scheduled_backups_failed ON public.scheduled_backups USING btree (operation_id) WHERE (state = 'failed'::text);
CREATE INDEX scheduled_backups_late ON public.scheduled_backups USING btree (policy_id, try_until) WHERE (state = 'waiting'::text);
CREATE INDEX scheduled_backups_next ON public.scheduled_backups USING btree (region_id, tried_at NULLS FIRST, due_at) WHERE (state = 'waiting'::text);
CREATE INDEX scheduled_backups_over ON public.scheduled_backups USING btree (due_at, policy_id, room_id) WHERE (state = ANY (ARRAY['done'::text, 'failed'::text, 'missed'::text]));
CREATE INDEX scheduled_backups_room ON public.scheduled_backups USING btree (room_id, started_at);
CREATE INDEX scheduled_backups_started ON public.scheduled_backups USING btree (operation_id) WHERE (state = 'started'::text);
CREATE INDEX scheduled_backups_untidied ON public.scheduled_backups USING btree (room_id) WHERE ((state = 'done'::text) AND (NOT is_tidied));

create table schema_changes (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_changes_pkey PRIMARY KEY (number)
);

create table sessions (
  token_hash bytea not null,
  operator_id uuid not null,
  awaits_second_factor boolean not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone not null default now(),
  constraint sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE,
  constraint sessions_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX sessions_operator ON public.sessions USING btree (operator_id);

create table turns (
  what text not null,
  who text not null,
  at timestamp with time zone[] not null,
  was_refused boolean not null default false,
  last_at timestamp with time zone not null default now(),
  constraint turns_pkey PRIMARY KEY (what, who)
);
CREATE INDEX turns_last_at ON public.turns USING btree (last_at);

create table uploads (
  name text not null,
  operator_id uuid not null,
  kind text not null,
  store_key text not null,
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  contents jsonb,
  manifest jsonb,
  created_at timestamp with time zone not null default now(),
  taken_at timestamp with time zone,
  delete_after timestamp with time zone,
  constraint uploads_kind_check CHECK ((kind = ANY (ARRAY['backup'::text, 'database'::text]))),
  constraint uploads_pkey PRIMARY KEY (name)
);
CREATE INDEX uploads_delete_after ON public.uploads USING btree (delete_after) WHERE (delete_after IS NOT NULL);

create table verification_counts (
  policy_id uuid not null,
  room_id uuid not null,
  region_id integer not null,
  backups integer not null,
  is_due boolean not null,
  constraint verification_counts_pkey PRIMARY KEY (policy_id, room_id)
);
CREATE INDEX verification_counts_due ON public.verification_counts USING btree (region_id) WHERE is_due;

create table views (
  id uuid not null default gen_random_uuid(),
  operator_id uuid not null,
  name text not null,
  is_shared boolean not null default false,
  query text not null,
  columns jsonb not null,
  created_at timestamp with time zone not null default now(),
  constraint views_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE,
  constraint views_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX views_name ON public.views USING btree (operator_id, lower(name));
CREATE INDEX views_shared ON public.views USING btree (operator_id) WHERE is_shared;

create table webhook_deliveries (
  id uuid not null default gen_random_uuid(),
  n bigint not null generated always as identity,
  webhook_id uuid not null,
  message_id text not null,
  type text not null,
  lane text not null,
  room_id uuid,
  room_name text,
  at timestamp with time zone not null,
  body text not null,
  state text not null default 'waiting'::text,
  tries integer not null default 0,
  last_try_at timestamp with time zone,
  next_try_at timestamp with time zone default now(),
  claim uuid,
  by_hand_at timestamp with time zone,
  answer_status integer,
  answer_body text,
  answer_milliseconds integer,
  failure text,
  constraint webhook_deliveries_check CHECK (((state = 'waiting'::text) = (next_try_at IS NOT NULL))),
  constraint webhook_deliveries_failure_check CHECK ((failure = ANY (ARRAY['unreachable'::text, 'address-forbidden'::text, 'certificate'::text, 'timed-out'::text, 'redirected'::text, 'refused'::text, 'answer-too-long'::text, 'secret-unreadable'::text]))),
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'ended'::text]))),
  constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id)
);
CREATE INDEX webhook_deliveries_by_state ON public.webhook_deliveries USING btree (webhook_id, state, n);
CREATE INDEX webhook_deliveries_claimed ON public.webhook_deliveries USING btree (webhook_id) WHERE (claim IS NOT NULL);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (webhook_id, next_try_at) WHERE (state = 'waiting'::text);
CREATE INDEX webhook_deliveries_lanes ON public.webhook_deliveries USING btree (webhook_id, lane, n) WHERE (state = 'waiting'::text);
CREATE INDEX webhook_deliveries_of_room ON public.webhook_deliveries USING btree (room_id) WHERE (room_id IS NOT NULL);
CREATE INDEX webhook_deliveries_of_webhook ON public.webhook_deliveries USING btree (webhook_id, n);
CREATE INDEX webhook_deliveries_old ON public.webhook_deliveries USING btree (at) WHERE (state <> 'waiting'::text);

create table webhooks (
  id uuid not null default gen_random_uuid(),
  name text not null,
  url text not null,
  events text[] not null,
  is_on boolean not null,
  version integer not null default 1,
  secret text not null,
  former_secret text,
  former_secret_until timestamp with time zone,
  last_delivered_at timestamp with time zone,
  failing_since timestamp with time zone,
  switched_off_at timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  changed_at timestamp with time zone not null default now(),
  changed_by text not null,
  last_taken_at timestamp with time zone,
  constraint webhooks_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX webhooks_name ON public.webhooks USING btree (lower(name)) WHERE (deleted_at IS NULL);

create table workers (
  id uuid not null,
  started_at timestamp with time zone not null default now(),
  heartbeat_at timestamp with time zone not null default now(),
  machine text,
  pid integer,
  pid_began text,
  running uuid[] not null default '{}'::uuid[],
  constraint workers_pkey PRIMARY KEY (id)
);

CREATE OR REPLACE FUNCTION public.announce_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('roomkeeper_events', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.audit_awaits_seal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into audit_unsealed values (new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.audit_content(entry audit)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_array(
    entry.id, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), entry.actor, entry.action,
    entry.room_id, entry.room_name, entry.operation_id, entry.detail, entry.changes, entry.request_id)::text
$function$;

CREATE OR REPLACE FUNCTION public.audit_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'The audit trail is only ever added to.';
end $function$;

CREATE OR REPLACE FUNCTION public.call_workers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('roomkeeper_work', 'operations');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_new_sap_number()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.count_reserved_places()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    update regions set room_count = room_count + 1 where id = new.region_id;
  else
    update regions set room_count = room_count - 1 where id = old.region_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.version := old.version + 1;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.divide_room_names(size integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  with ranges as (select start, rooms, lead(start) over (order by start) as until from room_name_ranges),
    numbered as (
      select ranges.start, until, name, (row_number() over (partition by ranges.start order by name) - 1) / size as part
      from ranges join rooms on name >= ranges.start and (until is null or name < until)
      where ranges.rooms > 2 * size
    ),
    parts as (
      select case part when 0 then start else min(name) end as start, until, start as whole, count(*) as rooms
      from numbered group by numbered.start, until, part
    ),
    bounded as (
      select start, rooms, coalesce(lead(start) over (partition by whole order by start), until) as until from parts
    )
  insert into room_name_ranges as kept
  select start, rooms - coalesce((
    select sum(change) from room_name_changes
    where name >= bounded.start and (bounded.until is null or name < bounded.until)
  ), 0)
  from bounded
  on conflict (start) do update set rooms = excluded.rooms;
end $function$;

CREATE OR REPLACE FUNCTION public.end_operation_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update operation_steps set state = 'failed', ended_at = now() where operation_id = new.id and state = 'running';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.error_code_of(message text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN ((message ~~ 'The region % does not have the project room (any more).%'::text) OR (message ~~ 'The project room in % does not hold what was moved there%'::text)) THEN 'lost'::text ELSE NULL::text END;

CREATE OR REPLACE PROCEDURE public.fill_last_backups()
 LANGUAGE plpgsql
AS $procedure$
declare
  last uuid;
begin
  loop
    last := recount_last_backups(last);
    exit when last is null;
    commit;
  end loop;
end $procedure$;

CREATE OR REPLACE FUNCTION public.find_last_backup()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select newest.at, newest.restored_at into new.last_backup_at, new.last_backup_restored_at
    from last_backup_of(new.id) as newest;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.fold_operation_item_counts()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('transaction_isolation') <> 'read committed' or not pg_try_advisory_xact_lock(7204014) then
    return;
  end if;
  with folded as (delete from operation_item_counts returning *)
  insert into operation_item_counts
  select parent_id, state, sum(rooms), sum(bytes) from folded group by parent_id, state
  having sum(rooms) <> 0 or sum(bytes) <> 0;
end $function$;

CREATE OR REPLACE FUNCTION public.fold_room_months()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('transaction_isolation') <> 'read committed' or not pg_try_advisory_xact_lock(7203414) then
    return;
  end if;
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
end $function$;

CREATE OR REPLACE FUNCTION public.fold_room_names(size integer DEFAULT 1000)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('transaction_isolation') <> 'read committed' or not pg_try_advisory_xact_lock(7203415) then
    return;
  end if;
  with folded as (delete from room_name_changes returning name, change),
    placed as (
      select (select start from room_name_ranges where start <= name order by start desc limit 1) as place, change
      from folded
    ),
    added as (select place, sum(change) as change from placed group by place having sum(change) <> 0)
  update room_name_ranges set rooms = rooms + added.change from added where start = added.place;
  -- The names of an empty range, all of them in changes to come, then belong to the one before.
  delete from room_name_ranges where rooms = 0 and start <> '';
  if exists (select from room_name_ranges where rooms > 2 * size) then
    perform divide_room_names(size);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.fold_room_totals()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.follow_moved_room()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update scheduled_backups set region_id = new.region_id where room_id = new.id and state = 'waiting';
  update verification_counts set region_id = new.region_id
   where policy_id = any(array(select id from backup_policies)) and room_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_error_reasons()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.error_reasons := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_reasons()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.reasons := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.free_operation_places()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from operation_places where operation_id = new.id;
  delete from reserved_places where operation_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_last_backup()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_last_backup(coalesce(new.room_id, old.room_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_last_backup_of_finding()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  room uuid;
begin
  select room_id into room from room_backups where id = coalesce(new.subject, old.subject)::uuid;
  if found then
    perform note_last_backup(room);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    if not new.held then
      update operations set in_line = true where id = new.operation_id and not in_line;
      perform pg_notify('roomkeeper_work', 'places');
    end if;
  elsif tg_op = 'UPDATE' then
    if new.held and not old.held then
      update operations set in_line = false where id = new.operation_id and in_line;
    end if;
  else
    if not old.held then
      update operations set in_line = false where id = old.operation_id and in_line;
    elsif exists (select from operation_places where not held) then
      perform pg_notify('roomkeeper_work', 'places');
    end if;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_operation_item_counts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.keep_outcomes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into operation_outcomes (operation_id, state, error, error_reasons)
  select id, state, error, error_reasons from removed
   where state in ('done', 'failed', 'cancelled')
     and not (state = 'done' and attempt = 1 and started_by = 'system'
              and kind in ('room.backup-scheduled', 'room.backup-scheduled-d2o', 'backup.verify'))
  on conflict (operation_id) do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_region_counts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.keep_room_months()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  written integer := 0;
begin
  if tg_op = 'UPDATE' then
    if not exists (
      select from came full join went using (id)
      where (came.region_id, came.state, came.product, came.edition, came.sales_channel, came.created_at)
        is distinct from
            (went.region_id, went.state, went.product, went.edition, went.sales_channel, went.created_at)
    ) then
      return null;
    end if;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    insert into room_months
    select region_id, state, product, edition, sales_channel, month_of(created_at), count(*)
    from came group by 1, 2, 3, 4, 5, 6;
    get diagnostics written = row_count;
  end if;
  if tg_op in ('DELETE', 'UPDATE') then
    insert into room_months
    select region_id, state, product, edition, sales_channel, month_of(created_at), -count(*)
    from went group by 1, 2, 3, 4, 5, 6;
  end if;
  if written > 500 or nextval('room_months_writes') % 200 = 0 then
    perform fold_room_months();
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_room_name()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into room_name_changes values (old.name, -1), (new.name, 1);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_room_names()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  written integer;
begin
  if tg_op = 'INSERT' then
    insert into room_name_changes select name, 1 from came;
  else
    insert into room_name_changes select name, -1 from went;
  end if;
  get diagnostics written = row_count;
  if written > 20 or nextval('room_name_writes') % 200 = 0 then
    perform fold_room_names();
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_room_totals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.last_backup_of(room uuid, OUT at timestamp with time zone, OUT restored_at timestamp with time zone)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(newest.created_at, '0001-01-01 00:00:00+00'), newest.restored_at from (select) as one left join lateral (
    select b.created_at, b.restored_at from room_backups b
     where b.room_id = room and not exists (
       select from doctor_findings f
        where f.kind in ('backup-missing', 'backup-altered') and f.subject = b.id::text and f.closed_at is null
     )
     order by b.created_at desc limit 1
  ) as newest on true
$function$;

CREATE OR REPLACE FUNCTION public.let_go_of_operation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.worker_id := null;
  new.in_line := false;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.letter_pairs(given text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN array_remove(string_to_array((regexp_replace(given, '(..)|.$'::text, '\1'::text, 'g'::text) || regexp_replace(substr(given, 2), '(..)|.$'::text, '\1'::text, 'g'::text)), ''::text), ''::text);

CREATE OR REPLACE FUNCTION public.month_of(at timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (date_trunc('month'::text, (at AT TIME ZONE 'UTC'::text)))::date;

CREATE OR REPLACE FUNCTION public.note_last_backup(room uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform from rooms where id = room for no key update;
  if found then
    update rooms set last_backup_at = newest.at, last_backup_restored_at = newest.restored_at
      from last_backup_of(room) as newest
     where id = room
       and (last_backup_at <> newest.at or last_backup_restored_at is distinct from newest.restored_at);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.recount_last_backups(after uuid, many integer DEFAULT 500)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare
  batch uuid[];
begin
  batch := array(
    select id from rooms where id > coalesce(after, '00000000-0000-0000-0000-000000000000') order by id limit many
  );
  perform from rooms where id = any(batch) order by id for no key update;
  update rooms set last_backup_at = newest.at, last_backup_restored_at = newest.restored_at
    from unnest(batch) as one(room) cross join lateral last_backup_of(one.room) as newest
   where id = one.room
     and (last_backup_at <> newest.at or last_backup_restored_at is distinct from newest.restored_at);
  return batch[cardinality(batch)];
end $function$;

CREATE OR REPLACE FUNCTION public.recount_no_rooms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform recount_rooms();
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.recount_room_names(size integer DEFAULT 1000)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  lock table rooms in share row exclusive mode;
  delete from room_name_changes;
  delete from room_name_ranges;
  insert into room_name_ranges select '', count(*) from rooms;
  perform divide_room_names(size);
end $function$;

CREATE OR REPLACE FUNCTION public.recount_room_totals()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
    + (select count(*) from reserved_places where region_id = regions.id);
end $function$;

CREATE OR REPLACE FUNCTION public.recount_rooms()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform recount_totals_and_months();
  perform recount_room_names();
end $function$;

CREATE OR REPLACE FUNCTION public.recount_totals_and_months()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform recount_room_totals();
  delete from room_months;
  insert into room_months
  select region_id, state, product, edition, sales_channel, month_of(created_at), count(*)
  from rooms group by 1, 2, 3, 4, 5, 6;
end $function$;

CREATE OR REPLACE FUNCTION public.room_turn(id uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select ('x' || left(md5(id::text), 8))::bit(32)::bigint
$function$;

CREATE OR REPLACE FUNCTION public.sap_number_key(given text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN lower((btrim(given, ' 	
   　'::text) COLLATE "und-x-icu"));

CREATE OR REPLACE FUNCTION public.seal_audit(waits boolean)
 RETURNS SETOF audit_head
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.set_current_step_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.step_id := step_id_of(new.step);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.set_error_code()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.error_code := error_code_of(new.error_message);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.set_step_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.step_id := step_id_of(new.name);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.set_step_ids()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update operation_steps set step_id = step_id_of(name) where operation_id = new.id and step_id is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.step_id_of(title text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((SELECT known.id FROM (VALUES ('compare-everything'::text,'compare the console with its regions and stores'::text), ('look-first'::text,'look whether it still is so'::text), ('repair'::text,'repair the finding'::text), ('look-again'::text,'look again'::text), ('check-name'::text,'check the name on the region'::text), ('create-room'::text,'create the room on the region'::text), ('check-room'::text,'check the room on the region'::text), ('tell-customers'::text,'tell owner and delegate'::text), ('tell-stakeholders'::text,'tell the stakeholders'::text), ('delete-room'::text,'delete the room on the region'::text), ('change-room'::text,'change the room on the region'::text), ('suspend-room'::text,'suspend the room on the region'::text), ('resume-room'::text,'resume the room on the region'::text), ('make-backup'::text,'make the backup on the region'::text), ('store-backup'::text,'bring the backup into the store'::text), ('read-backup-back'::text,'read the backup back'::text), ('record-backup'::text,'record the backup'::text), ('send-backup'::text,'send the backup to the region'::text), ('send-backups'::text,'send the backups to the region'::text), ('keep-content'::text,'keep what the room holds'::text), ('restore-room'::text,'restore the room on the region'::text), ('write-backup'::text,'write the backup to the object store'::text), ('restore-from-object-store'::text,'restore the room from the object store'::text), ('send-settings'::text,'send licences, expiry and contacts'::text), ('delete-database'::text,'delete the database on the region'::text), ('export-database'::text,'export the database on the region'::text), ('restore-database'::text,'restore the database on the region'::text), ('check-databases'::text,'check the databases of the room'::text), ('send-database'::text,'send the database to the region'::text), ('import-database'::text,'import the database on the region'::text), ('back-room-up'::text,'back the room up'::text), ('check-sessions'::text,'check for active sessions'::text), ('check-lock'::text,'check whether the room is locked'::text), ('compare-copies'::text,'compare both copies'::text), ('create-copy'::text,'create the room in the target'::text), ('leave-source'::text,'leave the source'::text), ('lock-source'::text,'lock the room in the source'::text), ('look-at-room'::text,'look at the room on the region'::text), ('move-rooms'::text,'move the rooms'::text), ('open-target'::text,'open the room in the target'::text), ('remove-copies'::text,'remove the copies from the target'::text), ('remove-source'::text,'remove the room from the source'::text), ('remove-copy'::text,'remove the copy from the target'::text), ('restore-copy'::text,'restore the room in the target'::text), ('switch'::text,'switch to the target'::text), ('unlock-target'::text,'unlock the room in the target'::text), ('update-rooms'::text,'update the project rooms'::text), ('update-system-database'::text,'update the system database'::text)) known(id, title) WHERE (known.title = step_id_of.title)), title);

CREATE OR REPLACE FUNCTION public.tell_cancelled()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('roomkeeper_work', 'cancel ' || new.id);
  return null;
end $function$;

CREATE OR REPLACE PROCEDURE public.translate_operation_items()
 LANGUAGE plpgsql
AS $procedure$
declare
  parents uuid[] := array(select distinct parent_id from operation_item_counts where state in ('migrated', 'postponed'));
  parent uuid;
begin
  foreach parent in array parents loop
    loop
      update operation_items i set state = case i.state when 'migrated' then 'done' else 'skipped' end
        from (select room_id from operation_items
               where parent_id = parent and state in ('migrated', 'postponed') limit 1000 for update) as next
       where i.parent_id = parent and i.room_id = next.room_id;
      exit when not found;
      commit;
    end loop;
  end loop;
end $procedure$;

CREATE OR REPLACE FUNCTION public.write_live_migration_room()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update operation_items
     set state = case new.state when 'migrated' then 'done' when 'postponed' then 'skipped' else new.state end,
         operation_id = new.operation_id, reason = new.reason, reasons = new.reasons,
         bytes = new.bytes, bytes_at = new.bytes_at, ended_at = new.ended_at
   where parent_id = old.run_id and room_id = old.room_id
  -- Another trigger may have taken the codes away.
  returning reasons into new.reasons;
  return new;
end $function$;
