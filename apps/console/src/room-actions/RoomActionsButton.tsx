import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { MenuOnDemand } from '#ui/MenuOnDemand.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import type { RoomActionsProps } from './RoomActionsMenu.tsx'

const RoomActionsMenu = onDemand(() => import('./RoomActionsMenu.tsx'), 'RoomActionsMenu')

/** Opens the menu of what can be done with a room. */
export function RoomActionsButton(props: RoomActionsProps) {
  const { t } = useTranslation('rooms')
  return (
    <MenuOnDemand
      button={
        <Button variant="default" size="xs" rightSection={<IconChevronDown size={14} stroke={1.8} aria-hidden />}>
          {t('columns.actions')}
        </Button>
      }
      menu={(menu) => <RoomActionsMenu {...menu} {...props} />}
    />
  )
}
