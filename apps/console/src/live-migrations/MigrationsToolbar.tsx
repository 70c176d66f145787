import { IconDownload, IconFileText, IconPencil, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ActionToolbar } from '#ui/ActionButtons.tsx'

const icons = {
  new: IconPlus,
  edit: IconPencil,
  delete: IconTrash,
  refresh: IconRefresh,
  exportConfig: IconDownload,
  exportLogs: IconFileText,
} as const
export type ToolbarAction = keyof typeof icons

interface MigrationsToolbarProps {
  /** What is on its way. */
  busy: ToolbarAction | null
  onAction: (action: ToolbarAction) => void
}

export function MigrationsToolbar({ busy, onAction }: MigrationsToolbarProps) {
  const { t } = useTranslation('migrations')
  return <ActionToolbar icons={icons} label={(action) => t(`actions.${action}`)} busy={busy} onAction={onAction} />
}
