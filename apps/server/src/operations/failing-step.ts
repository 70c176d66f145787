/** The step of an open operation that is tried again and again, forward or back. */
import type { FailingStep, Reasons } from '@roomkeeper/contract'

export interface FailingRow {
  failingReasons: Reasons | null
  failingSince: string | null
  secondsToNextTry: number | null
}

/** The columns of a `FailingRow`, of the operations with the alias `o`: for a lateral join with the alias `f`. */
export const failingColumns = 'f.failing_reasons, f.failing_since, f.seconds_to_next_try'
export const failingSteps = `
  select s.failing_reasons, s.failing_since, extract(epoch from s.next_try_at - now())::float8 as seconds_to_next_try
    from operation_steps s
   where s.operation_id = o.id and o.state in ('running', 'cancelling')
     and s.failing_since is not null and s.next_try_at is not null
     and case when s.failing_undo then s.state in ('running', 'done', 'failed') else s.state = 'running' end
   order by s.next_try_at desc limit 1`

/** @returns the row with `failing` in place of these columns; null: its step does not fail */
export function withFailing<Row extends FailingRow>(
  row: Row,
): Omit<Row, keyof FailingRow> & { failing: FailingStep | null } {
  const { failingReasons: reasons, failingSince: since, secondsToNextTry, ...rest } = row
  const isFailing = reasons !== null && since !== null && secondsToNextTry !== null
  return { ...rest, failing: isFailing ? { reasons, since, secondsToNextTry } : null }
}
