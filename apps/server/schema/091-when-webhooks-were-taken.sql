-- When a worker took a delivery of the webhook last: so that a figure tells what nobody takes from what waits behind
-- tries. Processes of the release before do not write it.
alter table webhooks add column last_taken_at timestamptz;
