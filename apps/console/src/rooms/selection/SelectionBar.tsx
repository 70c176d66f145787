import { ActionIcon, Menu } from '@mantine/core'
import type { BulkAction } from '@roomkeeper/contract'
import { mayTakeInBulk } from '@roomkeeper/rules'
import {
  IconArchive,
  IconArrowsExchange,
  IconCalendarPlus,
  IconDatabaseCog,
  IconDots,
  IconDownload,
  IconMail,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { LatestBulk, openStartBulk, useHasLatestBulk } from '#bulks/index.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { countOf, wireOf } from './room-selection.ts'
import classes from './SelectionBar.module.css'
import { exportSelected } from './selected-rooms.ts'
import type { RoomSelectionState } from './use-room-selection.ts'

interface BulkButton {
  action: BulkAction
  icon: typeof IconDots
  isDangerous?: true
}

const buttons: readonly BulkButton[] = [
  { action: 'suspend', icon: IconPlayerPause },
  { action: 'resume', icon: IconPlayerPlay },
  { action: 'move', icon: IconArrowsExchange },
]
const more: readonly BulkButton[] = [
  { action: 'backup', icon: IconArchive },
  { action: 'extend', icon: IconCalendarPlus },
  { action: 'notify', icon: IconMail },
  { action: 'updateSystemDatabase', icon: IconDatabaseCog },
  { action: 'delete', icon: IconTrash, isDangerous: true },
]

interface SelectionBarProps {
  selection: RoomSelectionState
  /** The number of rooms that the list matches. */
  total: number
}

/** What can be done with the selected rooms: one line, of two on a phone. */
export function SelectionBar({ selection, total }: SelectionBarProps) {
  const { t } = useTranslation(['selection', 'bulks'])
  const number = useNumberFormat()
  const { role } = useOperator()
  const { selected, selectAll, clear } = selection
  const count = countOf(selected)
  const hasLatest = useHasLatestBulk()
  const clearAndStay = () => {
    clear()
    // The bar goes, and the focus must not go with it.
    document.querySelector<HTMLElement>('tr[data-row][tabindex]')?.focus()
  }
  const start = (action: BulkAction) => openStartBulk({ action, selection: wireOf(selected), count })
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
        {hasLatest && <LatestBulk className={classes.link} />}
        {buttons
          .filter(({ action }) => mayTakeInBulk(action, role))
          .map(({ action, icon }) => (
            <ToolbarButton key={action} className={classes.action ?? ''} icon={icon} onClick={() => start(action)}>
              {t(`bulks:actions.${action}.verb`)}
            </ToolbarButton>
          ))}
        <MoreActions onStart={start} />
        <ExportButton selection={selection} />
      </div>
    </section>
  )
}

/** The actions that are taken less often, for administrators. */
function MoreActions({ onStart }: { onStart: (action: BulkAction) => void }) {
  const { t } = useTranslation(['selection', 'bulks'])
  const { role } = useOperator()
  const actions = more.filter(({ action }) => mayTakeInBulk(action, role))
  if (actions.length === 0) return null
  return (
    <Menu position="bottom-end" keepMounted={false}>
      <Menu.Target>
        <ActionIcon variant="default" className={classes.more ?? ''} aria-label={t('more')} title={t('more')}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ action, icon: Icon, isDangerous }) => (
          <Menu.Item
            key={action}
            leftSection={<Icon size={16} aria-hidden />}
            {...(isDangerous === true ? { color: 'red' } : {})}
            onClick={() => onStart(action)}
          >
            {t(`bulks:actions.${action}.verb`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
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
