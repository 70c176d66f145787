import { Button, Checkbox, Loader, Progress, Text } from '@mantine/core'
import { whyNot } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { textOf } from '#api/text-of-error.ts'
import { Dialog, DialogFoot } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { RoomGroups } from './RoomGroups.tsx'
import { countOf, type SelectedRooms } from './room-selection.ts'
import { runBulk, stopRun } from './run-bulk.ts'
import { answeredOf, type BulkRun, type RunAction, refusedOf, setRun, showRun, useRun } from './run-state.ts'
import { roomsOf } from './selected-rooms.ts'
import { tellEnd } from './tell-end.ts'

interface BulkDialogProps {
  action: RunAction
  selected: SelectedRooms
}

/** Says for which of the selected rooms the action is possible, asks, and then shows the run. */
export function BulkDialog({ action, selected }: BulkDialogProps) {
  const { t } = useTranslation('selection')
  const [isStarted, setIsStarted] = useState(false)
  return (
    <Dialog title={t(`${action}.title`)}>
      {isStarted ? <Run /> : <Ask action={action} selected={selected} onStart={() => setIsStarted(true)} />}
    </Dialog>
  )
}

/** The run that goes on, or how it ended. */
export function RunDialog() {
  const { t } = useTranslation('selection')
  const action = useRun()?.action ?? 'suspend'
  return (
    <Dialog title={t(`${action}.title`)}>
      <Run />
    </Dialog>
  )
}

function Ask({ action, selected, onStart }: BulkDialogProps & { onStart: () => void }) {
  const { t } = useTranslation(['selection', 'app'])
  const number = useNumberFormat()
  const { possible, impossible, known, error } = usePreflight(action, selected)
  const [notify, setNotify] = useState(true)
  const close = useCloseDialog()
  const start = () => {
    void runBulk(action, possible ?? [], notify).then(tellEnd)
    onStart()
  }
  const count = possible?.length ?? 0
  return (
    <>
      {error !== null && <ProblemAlert title={t('loadFailed')}>{textOf(error)}</ProblemAlert>}
      {possible === undefined && error === null && (
        <Text role="status" c="dimmed">
          <Loader size={14} mr="xs" aria-hidden />
          {t('checking', { n: number.format(known), total: number.format(countOf(selected)) })}
        </Text>
      )}
      {possible !== undefined && (
        <>
          <Text>{t(`${action}.question`, { count, n: number.format(count) })}</Text>
          <Text size="sm" c="dimmed" mt="xs">
            {t(`${action}.consequence`)}
          </Text>
          <RoomGroups title={t('impossible')} groups={impossible} />
          <Checkbox
            mt="md"
            label={t('notify')}
            checked={notify}
            onChange={(event) => setNotify(event.currentTarget.checked)}
          />
        </>
      )}
      <DialogFoot>
        <Button variant="default" data-autofocus onClick={close}>
          {t('app:cancel')}
        </Button>
        <Button disabled={count === 0} onClick={start}>
          {t(`${action}.confirm`, { count, n: number.format(count) })}
        </Button>
      </DialogFoot>
    </>
  )
}

/** The selected rooms as they are now, by whether the action is possible. */
function usePreflight(action: RunAction, selected: SelectedRooms) {
  const { t } = useTranslation('rooms')
  const { role } = useOperator()
  const [known, setKnown] = useState(0)
  // Every opening asks anew: rooms change.
  const id = useId()
  const { data, error } = useQuery({
    queryKey: ['selected-rooms', id],
    queryFn: ({ signal }) => roomsOf(selected, setKnown, signal),
    gcTime: 0,
  })
  const impossible = new Map<string, string[]>()
  const possible = data?.flatMap((room) => {
    const reason = whyNot(action, room, role)
    if (reason === null) return [room.tenantName]
    const text = t(`reasons.${reason}`)
    impossible.set(text, [...(impossible.get(text) ?? []), room.tenantName])
    return []
  })
  return { possible, impossible, known, error }
}

/** How far the run is. It goes on when the dialog is closed. */
function Run() {
  const { t } = useTranslation(['selection', 'app'])
  const run = useRun()
  const close = useCloseDialog()
  useEffect(showRun, [])
  const hasRun = run !== null
  useEffect(() => {
    if (!hasRun) close()
  }, [hasRun, close])
  if (run === null) return null
  const dismiss = () => {
    close()
    if (run.phase === 'ended') setRun(null)
  }
  return (
    <>
      <RunProgress run={run} />
      <RoomGroups title={t(`${run.action}.refused`, { count: refusedOf(run.refused) })} groups={run.refused} />
      <DialogFoot>
        {run.phase !== 'ended' && (
          <Text size="sm" c="dimmed" mr="auto">
            {t('goesOn')}
          </Text>
        )}
        {run.phase !== 'ended' && (
          <Button variant="default" disabled={run.phase === 'stopping'} onClick={stopRun}>
            {t('stop')}
          </Button>
        )}
        <Button data-autofocus onClick={dismiss}>
          {t('app:close')}
        </Button>
      </DialogFoot>
    </>
  )
}

function RunProgress({ run }: { run: BulkRun }) {
  const { t } = useTranslation('selection')
  const answered = answeredOf(run)
  const phase = run.phase === 'ended' ? 'ended' : 'running'
  return (
    <>
      <Text role="status">{t(`${run.action}.${phase}`, { n: run.done, total: run.total })}</Text>
      <Progress
        mt="xs"
        value={(100 * answered) / Math.max(1, run.total)}
        aria-label={t(`${run.action}.title`)}
        color={run.refused.size > 0 ? 'red' : 'var(--rk-accent)'}
      />
      {run.stillRunning > 0 && (
        <Text size="sm" mt="xs">
          {t('stillRunning', { count: run.stillRunning })}
        </Text>
      )}
      {run.phase === 'ended' && answered < run.total && (
        <Text size="sm" mt="xs">
          {t('notBegun', { count: run.total - answered })}
        </Text>
      )}
    </>
  )
}
