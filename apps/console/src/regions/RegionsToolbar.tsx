import { Button } from '@mantine/core'
import { IconBan, IconDatabaseCog, IconPencil, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Toolbar } from '#ui/Toolbar.tsx'

const icons = {
  new: IconPlus,
  edit: IconPencil,
  delete: IconTrash,
  disable: IconBan,
  enable: IconPlayerPlay,
  update: IconDatabaseCog,
  updateAll: IconDatabaseCog,
} as const
export type RegionAction = keyof typeof icons
const actions = Object.keys(icons) as RegionAction[]

interface RegionsToolbarProps {
  /** What is on its way to the server. */
  busy: RegionAction | null
  onAction: (action: RegionAction) => void
}

export function RegionsToolbar({ busy, onAction }: RegionsToolbarProps) {
  const { t } = useTranslation('regions')
  return (
    <Toolbar>
      {actions.map((action) => {
        const Icon = icons[action]
        return (
          <Button
            key={action}
            size="xs"
            variant={action === 'new' ? 'filled' : 'default'}
            leftSection={<Icon size={15} stroke={1.8} aria-hidden />}
            loading={busy === action}
            onClick={() => onAction(action)}
          >
            {t(`actions.${action}`)}
          </Button>
        )
      })}
    </Toolbar>
  )
}
