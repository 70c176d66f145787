import { ActionIcon, Menu, Text } from '@mantine/core'
import type { BulkAction } from '@roomkeeper/contract'
import { mayTakeInBulk } from '@roomkeeper/rules'
import {
  type Icon,
  IconArchive,
  IconArrowsExchange,
  IconCalendarPlus,
  IconDatabaseCog,
  IconDots,
  IconDownload,
  IconMail,
  IconPlayerPause,
  IconPlayerPlay,
  IconReload,
  IconTag,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { openStartBulk } from '#bulks/index.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import { countOf } from '#ui/table/selected-rows.ts'
import { focusFirstRow } from '#ui/table/use-page-keys.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { exportSelected } from './export-selected.ts'
import { regionOfSelection } from './region-of-selection.ts'
import { bulkSelectionOf, type RoomSelection } from './room-selection.ts'
import classes from './SelectionBar.module.css'

const actionClasses = { root: classes.action, section: classes.actionIcon }
const exportClasses = { root: classes.action, section: classes.exportIcon, label: classes.exportLabel }

interface BulkButton {
  action: BulkAction
  icon: Icon
  isDangerous?: true
}

const buttons: readonly BulkButton[] = [
  { action: 'suspend', icon: IconPlayerPause },
  { action: 'resume', icon: IconPlayerPlay },
  { action: 'retry', icon: IconReload },
  { action: 'move', icon: IconArrowsExchange },
]
const more: readonly BulkButton[] = [
  { action: 'backup', icon: IconArchive },
  { action: 'extend', icon: IconCalendarPlus },
  { action: 'notify', icon: IconMail },
  { action: 'label', icon: IconTag },
  { action: 'updateSystemDatabase', icon: IconDatabaseCog },
  { action: 'delete', icon: IconTrash, isDangerous: true },
]

interface SelectionBarProps {
  selection: RoomSelection
  /** The number of rooms that the list matches. */
  total: number
  /** Leads back to the latest bulk. */
  latestBulk: ReactNode
}

/** What can be done with the selected rooms: one line, or two on a phone. */
export function SelectionBar({ selection, total, latestBulk }: SelectionBarProps) {
  const { t } = useTranslation(['selection', 'room-actions'])
  const number = useNumberFormat()
  const { role } = useOperator()
  const { selected, selectAll, clear } = selection
  const count = countOf(selected)
  const clearAndStay = () => {
    clear()
    // The bar goes, and the focus must not go with it.
    focusFirstRow()
  }
  const queryClient = useQueryClient()
  const start = (action: BulkAction) => {
    const from = regionOfSelection(queryClient, selected)
    openStartBulk({ action, selection: bulkSelectionOf(selected), count, from })
  }
  return (
    <section className={`rk-row ${classes.root}`} aria-label={t('title')}>
      <Text component="strong" inherit fw={600} role="status">
        {t('count', { count, n: number.format(count) })}
      </Text>
      {selected.kind === 'named' && total > count && (
        <button type="button" className={classes.link} onClick={() => selectAll(total)}>
          {t('all', { n: number.format(total) })}
        </button>
      )}
      <button type="button" className={classes.link} onClick={clearAndStay}>
        <IconX size={16} stroke={1.8} aria-hidden />
        <span className={classes.clear}>{t('clear')}</span>
      </button>
      <div className={`rk-row ${classes.actions}`}>
        {latestBulk}
        {buttons
          .filter(({ action }) => mayTakeInBulk(action, role))
          .map(({ action, icon }) => (
            <ToolbarButton key={action} classNames={actionClasses} icon={icon} onClick={() => start(action)}>
              {t('room-actions:asks', { action: t(`room-actions:${action}`) })}
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
  const { t } = useTranslation(['selection', 'room-actions'])
  const { role } = useOperator()
  const actions = more.filter(({ action }) => mayTakeInBulk(action, role))
  if (actions.length === 0) return null
  return (
    <Menu position="bottom-end" keepMounted={false}>
      <Menu.Target>
        <ActionIcon variant="default" className={classes.more} aria-label={t('more')} title={t('more')}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ action, icon: Icon, isDangerous }) => (
          <Menu.Item
            key={action}
            leftSection={<Icon size={16} aria-hidden />}
            color={isDangerous === true ? 'red' : undefined}
            onClick={() => onStart(action)}
          >
            {t('room-actions:asks', { action: t(`room-actions:${action}`) })}
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
    meta: { failed: t('export.failed') },
  })
  return (
    <ToolbarButton classNames={exportClasses} icon={IconDownload} loading={isPending} onClick={() => mutate()}>
      {t('selection:export')}
    </ToolbarButton>
  )
}
