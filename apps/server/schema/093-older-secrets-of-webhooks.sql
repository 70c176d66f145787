-- The secrets before `former_secret` that may still sign along: a list of { "secret": sealed, "until": time }. Processes of
-- an earlier version go on with the other columns, and neither read nor change this one.
alter table webhooks add column older_secrets jsonb not null default '[]';
