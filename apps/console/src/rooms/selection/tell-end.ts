import i18next from 'i18next'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { answeredOf, type BulkRun, isRunShown, refusedOf } from './run-state.ts'

/** Says how a run of this session ended, on whatever page the operator is, unless a dialog says so already. */
export function tellEnd(run: BulkRun | null): void {
  if (run === null || isRunShown()) return
  const title = i18next.t(`selection:${run.action}.title`)
  const text = i18next.t(`selection:${run.action}.ended`, { n: run.done, total: run.total })
  const reasons = [...run.refused].map(([reason, names]) => `${names.join(', ')}: ${reason}`)
  if (refusedOf(run.refused) > 0) toastError(title, [text, ...reasons].join('\n'))
  else if (answeredOf(run) === run.total) toastSuccess(title, text)
}
