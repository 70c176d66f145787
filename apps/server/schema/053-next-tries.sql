-- Why a step fails for the time being, and when it is tried again. Null: it does not fail, or a process of the release
-- before has recorded the failure; what it leaves behind is told only while the step goes on failing.
alter table operation_steps add column failing_reasons jsonb;
alter table operation_steps add column next_try_at timestamptz;
