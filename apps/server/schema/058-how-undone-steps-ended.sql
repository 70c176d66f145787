-- How a step had ended before it was undone: `done`, `failed`, or `running` if it was interrupted. Null: it is not
-- undone, or a process of the release before has undone it.
alter table operation_steps add column undone_from text;
