import { Skeleton } from '@mantine/core'
import type { MonitoringEntry } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import {
  CancelOperation,
  type LoggedOperation as Log,
  OperationLog,
  operationLogQuery,
  RetryOperation,
} from '#operations/index.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import classes from './Monitoring.module.css'
import { ProcessStateIcon } from './MonitoringTable.tsx'

/** The log of a process, updated while it runs, with Cancel or Retry. */
export function LogsDialog({ entry }: { entry: MonitoringEntry }) {
  const { t } = useTranslation('monitoring')
  return (
    <Dialog title={t('logsOf', { process: entry.processType, room: entry.projectRoomName })} width="wide" closesOutside>
      <Logs entry={entry} />
    </Dialog>
  )
}

function Logs({ entry }: { entry: MonitoringEntry }) {
  const { t } = useTranslation('monitoring')
  const { data, error, refetch } = useQuery(operationLogQuery(entry.id))
  if (data === undefined) {
    if (error === null) return <Skeleton height={320} />
    return <LoadFailure title={t('loadFailed')} text={textOf(error)} onAgain={() => void refetch()} />
  }
  return (
    <div className={classes.log}>
      <LogHead entry={entry} log={data} />
      {data.errorText !== null && <p className={classes.error}>{data.errorText}</p>}
      <OperationLog operationId={entry.id} />
      {data.state === 'failed' && (
        <RetryOperation
          operationId={entry.operationId}
          roomName={entry.projectRoomName}
          onRetried={() => void refetch()}
        />
      )}
    </div>
  )
}

/** The state of the process, or Cancel while that is possible. */
function LogHead({ entry, log: { state, steps } }: { entry: MonitoringEntry; log: Log }) {
  const { t } = useTranslation('monitoring')
  const running = steps.find((step) => step.state === 'running')?.id ?? null
  return (
    <div className={classes.head}>
      <ProcessStateIcon state={state} />
      <span>{t(`states.${state}`)}</span>
      {(state === 'running' || state === 'waiting') && (
        <span className={classes.actions}>
          <CancelOperation operation={{ ...entry, stepId: running }} roomName={entry.projectRoomName} />
        </span>
      )}
    </div>
  )
}
