import {
  IconArchive,
  IconBan,
  IconDatabaseCog,
  IconPencil,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ActionToolbar } from '#ui/ActionButtons.tsx'

const icons = {
  new: IconPlus,
  edit: IconPencil,
  delete: IconTrash,
  disable: IconBan,
  enable: IconPlayerPlay,
  update: IconDatabaseCog,
  updateAll: IconDatabaseCog,
  removedBackups: IconArchive,
} as const
export type RegionAction = keyof typeof icons

interface RegionsToolbarProps {
  /** What is on its way to the server. */
  busy: RegionAction | null
  onAction: (action: RegionAction) => void
}

export function RegionsToolbar({ busy, onAction }: RegionsToolbarProps) {
  const { t } = useTranslation('regions')
  return <ActionToolbar icons={icons} label={(action) => t(`actions.${action}`)} busy={busy} onAction={onAction} />
}
