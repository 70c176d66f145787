/** What an open operation waits for: its step is tried again and again, forward or back. */
const time = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** An SQL expression of type jsonb: the `waitingStep` of the operation with the alias `o`; null: its step does not fail. */
export const waitingStepSql = `(
  select jsonb_build_object(
           'code', s.failing_reasons->0->'code', 'params', s.failing_reasons->0->'params',
           'since', ${time('s.failing_since')}, 'tries', s.failing_tries,
           'nextTryAt', ${time('s.next_try_at')},
           'secondsToNextTry', extract(epoch from s.next_try_at - now())::float8,
           'givesUpAt', ${time('s.gives_up_at')}, 'endsAsBefore', s.ends_as_before)
    from operation_steps s
   where s.operation_id = o.id and o.state in ('running', 'cancelling')
     and s.failing_since is not null and s.next_try_at is not null
     and case when s.failing_undo then s.state in ('running', 'done', 'failed') else s.state = 'running' end
   order by s.next_try_at desc limit 1)`
