-- Failures of a step that may pass, in an unbroken series: for how long it is tried again counts from the first of them,
-- also when another worker has taken over. A step that gets further than before breaks the series.
alter table operation_steps
  add column failing_since timestamptz,
  -- The series is one of its undo.
  add column failing_undo boolean not null default false,
  -- How much of the step was done at most before the last of them.
  add column furthest double precision not null default 0;
