-- Those facts of a finding that are sentences, by their codes and parameters, so that the console can write them in its
-- language. Findings of before have none: their sentences stay as they are.
alter table doctor_findings add column reasons jsonb not null default '{}';
