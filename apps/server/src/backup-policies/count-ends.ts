/**
 * Parts of a statement that ends scheduled backups, with a part `settled` that has the columns policy_id, due_at, was and
 * state. They count in the same statement, so an end is counted once; `failed` of a policy never goes back.
 */
export const countEnds = `
  ends_of_days as (
    insert into scheduled_backup_days as days (policy_id, day, done, failed, missed)
    select policy_id, (due_at at time zone 'UTC')::date, count(*) filter (where state = 'done'),
           count(*) filter (where state = 'failed') - count(*) filter (where was = 'failed'),
           count(*) filter (where state = 'missed')
      from settled group by 1, 2
    on conflict (policy_id, day) do update
      set done = days.done + excluded.done, failed = days.failed + excluded.failed,
          missed = days.missed + excluded.missed
  ), failures as (
    update backup_policies p set failed = p.failed + of_policy.n
      from (select policy_id, count(*) as n from settled where state in ('failed', 'missed') group by policy_id) as of_policy
     where of_policy.policy_id = p.id
  )`
