import { roleAllows, roleMay } from '@roomkeeper/rules'
import { IconArrowsExchange, IconDownload, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { openMoveRooms } from '#live-migrations/index.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { BulkDialog, RunDialog } from './BulkDialog.tsx'
import { countOf } from './room-selection.ts'
import { answeredOf, type RunAction, useRun } from './run-state.ts'
import classes from './SelectionBar.module.css'
import { exportSelected, roomsOf } from './selected-rooms.ts'
import type { RoomSelectionState } from './use-room-selection.ts'

const icons = { suspend: IconPlayerPause, resume: IconPlayerPlay } as const

interface SelectionBarProps {
  selection: RoomSelectionState
  /** The number of rooms that the list matches. */
  total: number
}

/** What can be done with the selected rooms: one line, of two on a phone. */
export function SelectionBar({ selection, total }: SelectionBarProps) {
  const { t } = useTranslation('selection')
  const number = useNumberFormat()
  const { role } = useOperator()
  const { selected, selectAll, clear } = selection
  const count = countOf(selected)
  const run = useRun()
  const clearAndStay = () => {
    clear()
    // The bar goes, and the focus must not go with it.
    document.querySelector<HTMLElement>('tr[data-row][tabindex]')?.focus()
  }
  const start = (action: RunAction) =>
    openDialog(<BulkDialog action={action} selected={selected} />, { outlastsPage: true })
  return (
    <section className={classes.root} aria-label={t('title')}>
      <strong role="status">{t('count', { count, n: number.format(count) })}</strong>
      {selected.kind === 'named' && total > count && (
        <button type="button" className={classes.link} onClick={() => selectAll(total)}>
          {t('all', { n: number.format(total) })}
        </button>
      )}
      <button type="button" className={classes.link} onClick={clearAndStay}>
        <IconX size={16} stroke={1.8} aria-hidden />
        <span className={classes.clear}>{t('clear')}</span>
      </button>
      <div className={classes.actions}>
        {run?.phase === 'running' || run?.phase === 'stopping' ? (
          <RunButton />
        ) : (
          (['suspend', 'resume'] as const)
            .filter((action) => roleMay(action, role))
            .map((action) => (
              <ToolbarButton
                key={action}
                className={classes.action ?? ''}
                icon={icons[action]}
                onClick={() => start(action)}
              >
                {t(`${action}.verb`)}
              </ToolbarButton>
            ))
        )}
        {roleAllows(role, 'admin') && <MoveButton selection={selection} />}
        <ExportButton selection={selection} />
      </div>
    </section>
  )
}

/** Takes the rooms as the server has them now: since they were selected, some may have been moved. */
function MoveButton({ selection }: Pick<SelectionBarProps, 'selection'>) {
  const { t } = useTranslation('selection')
  const { mutate, isPending } = useMutation({
    mutationFn: () => roomsOf(selection.selected, () => undefined, new AbortController().signal),
    onSuccess: (rooms) => openMoveRooms({ rooms }),
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('loadFailed'), textOf(error))
    },
  })
  return (
    <ToolbarButton
      className={classes.action ?? ''}
      icon={IconArrowsExchange}
      loading={isPending}
      onClick={() => mutate()}
    >
      {t('move')}
    </ToolbarButton>
  )
}

function ExportButton({ selection }: Pick<SelectionBarProps, 'selection'>) {
  const { t } = useTranslation(['rooms', 'selection'])
  const { mutate, isPending } = useMutation({
    mutationFn: () => exportSelected(selection.selected),
    onSuccess: () => toastSuccess(t('export.title'), t('export.done')),
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('export.failed'), textOf(error))
    },
  })
  return (
    <ToolbarButton className={classes.action ?? ''} icon={IconDownload} loading={isPending} onClick={() => mutate()}>
      {t('selection:export')}
    </ToolbarButton>
  )
}

/** Leads back to the run that goes on, or to how it ended. */
export function RunButton() {
  const { t } = useTranslation('selection')
  const run = useRun()
  if (run === null) return null
  const text = t(run.phase === 'ended' ? `${run.action}.ended` : `${run.action}.running`, {
    n: answeredOf(run),
    total: run.total,
  })
  return (
    <button type="button" className={classes.link} onClick={() => openDialog(<RunDialog />, { outlastsPage: true })}>
      {text}
    </button>
  )
}
